//! What the machine does in one step. An operation takes 8 bytes; what does not fit stands in tables
//! beside it ([`Code`](super::Code)).

use crate::syntax::ast::{BinaryOp, CompareOp, UnaryOp};

/// A register of the frame that runs: parameters, other variables, constants, temporaries.
pub type Reg = u16;

/// One step. Where a temporary is an operand, it is used up.
#[derive(Debug, Clone, Copy)]
pub enum Op {
    /// `to = constants[index]`
    Const {
        to: Reg,
        index: u32,
    },
    Copy {
        to: Reg,
        from: Reg,
    },
    /// As `Copy`, from a temporary that is not needed again.
    Move {
        to: Reg,
        from: Reg,
    },

    Global {
        to: Reg,
        index: u16,
    },
    /// `is_last`: nothing in the statement can fail afterwards.
    SetGlobal {
        from: Reg,
        index: u16,
        is_last: bool,
    },
    DeleteGlobal {
        index: u16,
    },
    /// A variable of this frame that functions inside share.
    Cell {
        to: Reg,
        index: u16,
    },
    SetCell {
        from: Reg,
        index: u16,
    },
    DeleteCell {
        index: u16,
    },
    /// Another variable of the same name, for the next comprehension.
    FreshCell {
        index: u16,
    },
    /// A variable of a function around.
    Free {
        to: Reg,
        index: u16,
    },
    SetFree {
        from: Reg,
        index: u16,
    },
    DeleteFree {
        index: u16,
    },
    /// The variable must hold something.
    Check {
        local: Reg,
    },
    DeleteLocal {
        local: Reg,
    },

    Add {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// With a number that stands in the text.
    AddInt {
        to: Reg,
        a: Reg,
        number: i16,
    },
    SubInt {
        to: Reg,
        a: Reg,
        number: i16,
    },
    Mul {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    FloorDiv {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Binary {
        op: BinaryOp,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// `to = a op= b`: what can change does. A variable `a` is `to`.
    Update {
        op: BinaryOp,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// As `Update`, where nothing can fail after the change.
    UpdateLast {
        op: BinaryOp,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Unary {
        op: UnaryOp,
        to: Reg,
        a: Reg,
    },
    Compare {
        op: CompareOp,
        to: Reg,
        a: Reg,
        b: Reg,
    },

    Jump {
        to: u32,
    },
    /// Ctrl-C is looked at here.
    JumpBack {
        to: u32,
    },
    JumpIf {
        value: Reg,
        to: u32,
    },
    JumpIfNot {
        value: Reg,
        to: u32,
    },
    /// If the comparison does not hold, does the jump that follows; else goes on behind it.
    Unless {
        op: CompareOp,
        a: Reg,
        b: Reg,
    },
    /// If it holds.
    When {
        op: CompareOp,
        a: Reg,
        b: Reg,
    },
    /// The same with a number that stands in the text.
    CompareInt {
        op: CompareOp,
        to: Reg,
        a: Reg,
        number: i16,
    },
    UnlessInt {
        op: CompareOp,
        a: Reg,
        number: i16,
    },
    WhenInt {
        op: CompareOp,
        a: Reg,
        number: i16,
    },

    /// `to = base[index]`, with the places of the index's parts behind it in `Places`.
    Subscript {
        to: Reg,
        base: Reg,
        index: Reg,
    },
    /// Does the next three operations, a tuple of integers, an element that it names, and their places, where it can.
    Element,
    SetSubscript {
        base: Reg,
        index: Reg,
        from: Reg,
        is_last: bool,
    },
    DeleteSubscript {
        base: Reg,
        index: Reg,
        is_last: bool,
    },
    /// `first + 2 = (first)[first + 1]`, for `UpdateItem`: what stands there, to be changed.
    ItemToUpdate {
        first: Reg,
    },
    /// `(first)[first + 1] op= first + 3`, what stands there being in `first + 2`.
    UpdateItem {
        op: BinaryOp,
        first: Reg,
        is_last: bool,
    },
    /// Behind an operation with an index: where its parts stand.
    Places {
        index: u16,
    },
    Attribute {
        to: Reg,
        object: Reg,
        name: u16,
    },
    SetAttribute {
        object: Reg,
        from: Reg,
        name: u16,
    },
    DeleteAttribute {
        object: Reg,
        name: u16,
    },

    Tuple {
        to: Reg,
        first: Reg,
        count: u16,
    },
    List {
        to: Reg,
        first: Reg,
        count: u16,
    },
    Set {
        to: Reg,
    },
    Dict {
        to: Reg,
    },
    Append {
        list: Reg,
        item: Reg,
    },
    Extend {
        list: Reg,
        items: Reg,
    },
    SetAdd {
        set: Reg,
        item: Reg,
    },
    SetExtend {
        set: Reg,
        items: Reg,
    },
    /// `item` and the register behind it: a key and its value.
    Insert {
        dict: Reg,
        item: Reg,
    },
    Merge {
        dict: Reg,
        mapping: Reg,
    },
    /// The tuple of a list that nobody else holds.
    ListToTuple {
        to: Reg,
        list: Reg,
    },
    /// A temporary that nobody needs.
    Forget {
        value: Reg,
    },
    /// Three registers from `first` on.
    Slice {
        to: Reg,
        first: Reg,
    },
    /// What an f-string shows of `value`, where that is neither text nor number.
    Text {
        value: Reg,
    },
    /// A text of `count` texts and numbers.
    Join {
        to: Reg,
        first: Reg,
        count: u16,
    },
    /// `first` under the specification in `first + 1`; the conversion is a letter, or 0.
    Format {
        to: Reg,
        first: Reg,
        conversion: u8,
    },

    /// What `value` goes through, in three registers from `to` on.
    Iter {
        to: Reg,
        value: Reg,
    },
    /// What a generator expression will go through must be something to go through.
    Iterable {
        value: Reg,
    },
    /// The next item, or the jump that follows.
    Next {
        to: Reg,
        iter: Reg,
    },
    /// At the end of a loop's body: as a `JumpBack` to its `Next`, which stands so many operations before.
    Again {
        to: Reg,
        iter: Reg,
        back: u16,
    },
    /// `count` registers from `first` on.
    Unpack {
        from: Reg,
        first: Reg,
        count: u16,
    },
    /// As `Unpack`; the one at `star` takes a list of what is left.
    UnpackStar {
        from: Reg,
        first: Reg,
        index: u16,
    },

    /// `to` and the register behind it: the method and its receiver, or a function and nothing.
    Method {
        to: Reg,
        object: Reg,
        name: u16,
    },
    /// As `Method`; where a function may answer at once, `to` holds nothing, and the receiver stays until then.
    MethodThere {
        to: Reg,
        object: Reg,
        name: u16,
    },
    /// What is called stands in `callee`; the arguments from `callee + 1` on.
    Call {
        to: Reg,
        callee: Reg,
        site: u16,
    },
    /// Calls the built-in function that a global name means, if it answers at once: then three are passed over.
    CallOn {
        to: Reg,
        from: Reg,
        global: u16,
    },
    /// As `Call`, behind `Method`: the arguments stand from `callee + 2` on.
    CallMethod {
        to: Reg,
        callee: Reg,
        site: u16,
    },
    /// The items of what stands in a call behind a star, as a tuple.
    Spread {
        value: Reg,
        callee: Reg,
    },
    /// The entries of what stands behind two stars.
    SpreadMapping {
        value: Reg,
        callee: Reg,
    },
    /// Defaults and annotations stand from `first` on.
    Function {
        to: Reg,
        first: Reg,
        index: u16,
    },
    Return {
        value: Reg,
    },
    /// Gives `value` out; `to` is what is sent in.
    Yield {
        to: Reg,
        value: Reg,
    },
    /// `iter` gives out what it goes through; `to` is what it returns. What is sent in stands in `to` meanwhile.
    YieldFrom {
        to: Reg,
        iter: Reg,
    },

    Import {
        to: Reg,
        index: u16,
    },
    ImportFrom {
        to: Reg,
        index: u16,
    },
    ImportAll {
        index: u16,
    },

    /// The class whose body has run; its names are the registers up to `count`.
    Class {
        to: Reg,
        count: u16,
    },
    /// `locals()`: those of the first variables of the frame that hold something, and of its first cells.
    Locals {
        to: Reg,
        count: Reg,
        cells: u16,
    },
    /// `super()`, with the class in `first` and the object behind it.
    Super {
        to: Reg,
        first: Reg,
    },
    /// If the variable holds something, does the jump that follows; else goes on behind it.
    IfUnbound {
        local: Reg,
    },
    /// `raise exception from cause`; no cause is `NONE`.
    Raise {
        exception: Reg,
        cause: Reg,
    },
    /// `raise`
    Reraise,
    /// If the register holds an exception, it goes on.
    RaiseAgain {
        error: Reg,
    },
    /// What a simple statement of the cell did before an error that is taken here stands.
    Stand,
    /// If `except class` does not take the exception, does the jump that follows; else goes on behind it.
    Catches {
        error: Reg,
        class: Reg,
    },
    /// As `Catches`, of `except* class`: behind `state` stands what is left, and goes the part that is taken.
    CatchesPart {
        state: Reg,
        class: Reg,
    },
    /// What no `except*` took of the exception in `state`, and what their blocks raised, a list three registers behind.
    Regroup {
        state: Reg,
    },
    /// Unless a block is left by the way of this number, does the jump that follows.
    IfExit {
        state: Reg,
        number: u16,
    },
    /// `with context`: what leaves it, and behind it what enters it.
    Enter {
        to: Reg,
        context: Reg,
    },
    /// What leaves a `with`, and behind it what it is called with: an exception in `state`.
    Leave {
        to: Reg,
        exit: Reg,
        state: Reg,
    },
    /// A true answer ends an exception.
    Swallow {
        state: Reg,
        answer: Reg,
    },
    /// What is lazy is computed, so that its errors come up here.
    Settle,
    /// AssertionError with this message, or with none.
    AssertionFailed {
        message: Reg,
        has_message: bool,
    },
    /// An error that was known before anything ran.
    Fail {
        index: u16,
    },
    /// A simple statement of the cell's own is done.
    Commit,
}
