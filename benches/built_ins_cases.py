"""What benches/built_ins.py times."""

# How a container is made of N items, and what is done with it.
WHOLE = [
    (
        "t = 'ab '*N",
        [
            "x = t.split()",
            "x = t.replace('a','cc')",
            "x = t.upper()",
            "x = t.title()",
            "x = t.strip()",
        ],
    ),
    (
        "t = 'aé '*N",
        [
            "x = t.upper()",
            "x = t.lower()",
        ],
    ),
    (
        "t = 'ab,'*N",
        [
            "x = t.split(',')",
            "x = t.rsplit(',',2)",
        ],
    ),
    (
        "t = 'ab\\n'*N",
        [
            "x = t.splitlines()",
        ],
    ),
    (
        "t = 'ab'*N",
        [
            "x = t.encode()",
            "x = t[::-1]",
            "x = t.count('b')",
            "x = t.translate({97:98})",
            "x = hash(t+'c')",
            "x = t==t[:-1]+'b'",
            "x = t.isalpha()",
            "x = t.partition('zz')",
            "x = list(t)",
            "x = set(t)",
            "x = sorted(t)",
            "x = t.zfill(N*3)",
            "x = t.center(N*3)",
            "x = repr(t)",
            "x = [c for c in t]",
            "x = ''.join(c for c in t)",
        ],
    ),
    (
        "t = b'ab'*N",
        [
            "x = t.decode()",
        ],
    ),
    (
        "t = '12'*N",
        [
            "x = t.isdigit()",
        ],
    ),
    (
        "t = list('ab'*N)",
        [
            "x = ''.join(t)",
            "x = '-'.join(t)",
        ],
    ),
    (
        "l = list(range(N))",
        [
            "x = sum(l)",
            "x = max(l)",
            "x = min(l,key=lambda v:-v)",
            "x = sorted(l,reverse=True)",
            "x = l[::-1]",
            "x = l[::3]",
            "x = l+l",
            "x = l*3",
            "x = l.copy()",
            "x = l==l[:]",
            "x = l.count(5)",
            "x = tuple(l)",
            "x = set(l)",
            "x = dict.fromkeys(l)",
            "x = dict(zip(l,l))",
            "x = list(map(str,l))",
            "x = list(zip(l,l))",
            "x = list(enumerate(l))",
            "x = list(filter(None,l))",
            "x = list(reversed(l))",
            "x = any(l[:1]) and all(l[1:])",
            "x = repr(l)",
            "x = [i for i in l if i%2]",
            "x = {i:i for i in l}",
            "x = {i for i in l}",
            "x = list(itertools.accumulate(l))",
            "x = list(itertools.chain(l,l))",
            "x = [k for k,g in itertools.groupby(l,lambda v:v//10)]",
            "x = list(itertools.pairwise(l))",
            "x = functools.reduce(lambda a,b:a+b,l)",
            "x = list(itertools.islice(l,5,None,2))",
            "x = random.shuffle(l)",
            "x = random.sample(l,N//2)",
            "x = statistics.mean(l)",
            "x = statistics.median(l)",
            "x = copy.deepcopy(l[:N//10])",
            "x = heapq.nlargest(5,l)",
            "x = heapq.heapify(l)",
            "x = f'{l[0]:>10}' + ','.join(f'{v:05d}' for v in l)",
            "x = ['%d:%s'%(v,v) for v in l]",
            "x = ['{}:{}'.format(v,v) for v in l]",
            "x = [hex(v) for v in l]",
            "x = [divmod(v,7) for v in l]",
        ],
    ),
    (
        "l = [.5]*N",
        [
            "x = sum(l)",
        ],
    ),
    (
        "l = [(i*7919)%10007 for i in range(N)]",
        [
            "x = sorted(l)",
            "x = sorted(l,key=lambda v:-v)",
            "x = sorted(l,key=str)",
        ],
    ),
    (
        "l = [((i*7919)%10007, i) for i in range(N)]",
        [
            "x = sorted(l)",
        ],
    ),
    (
        "l = [str((i*7919)%10007) for i in range(N)]",
        [
            "x = sorted(l)",
        ],
    ),
    (
        "l = [[(i*7919)%10007] for i in range(N)]",
        [
            "x = sorted(l)",
        ],
    ),
    (
        "l = [(i*7919)%10007*1.5 for i in range(N)]",
        [
            "x = sorted(l)",
        ],
    ),
    (
        "l = [.5*i for i in range(N)]",
        [
            "x = repr(l)",
            "x = math.fsum(l)",
        ],
    ),
    (
        "d = {i:i for i in range(N)}",
        [
            "x = list(d.items())",
            "x = dict(d)",
            "x = {**d}",
            "x = d=={i:i for i in range(N)}",
            "x = sum(d.values())",
            "x = max(d,key=d.get)",
        ],
    ),
    (
        "d = {str(i):i for i in range(N)}",
        [
            "x = sorted(d.items(),key=lambda kv:kv[1])",
            "x = json.dumps(d)",
        ],
    ),
    (
        "t = json.dumps({str(i):[i,1.5] for i in range(N)})",
        [
            "x = json.loads(t)",
        ],
    ),
    (
        "s = set(range(N)); r = set(range(5,N))",
        [
            "x = s&r",
            "x = s|r",
            "x = s-r",
        ],
    ),
    (
        "s = set(range(N))",
        [
            "x = sorted(s)",
        ],
    ),
    (
        "l = ['w%d'%(i%100) for i in range(N)]",
        [
            "x = collections.Counter(l)",
            "x = collections.Counter(l).most_common(5)",
        ],
    ),
    (
        "l = [[i,i+1] for i in range(N//2)]",
        [
            "x = [*itertools.chain.from_iterable(l)]",
            "x = list(map(list,zip(*l)))",
            "x = sum(map(len,l))",
        ],
    ),
    (
        "t = 'x=1; y = 22;'*(N//10)",
        [
            "x = re.findall(r'(\\w)=(\\d+)',t)",
            "x = re.sub(r'\\d+','n',t)",
            "x = re.split(';',t)",
        ],
    ),
    (
        "l = ['1.5']*N",
        [
            "x = [float(v) for v in l]",
        ],
    ),
    (
        "l = ['15']*N",
        [
            "x = [int(v) for v in l]",
        ],
    ),
    (
        "l = list(range(1,N))",
        [
            "x = [math.gcd(v,12) for v in l]",
            "x = [math.sqrt(v) for v in l]",
            "x = [abs(-v) for v in l]",
            "x = [round(v/3,2) for v in l]",
            "x = [min(v,5) for v in l]",
            "x = [isinstance(v,int) for v in l]",
            "x = [(v,v) for v in l]",
            "x = [[v] for v in l]",
            "x = [{'a':v} for v in l]",
            "x = [v**2 for v in l]",
            "x = [v.bit_length() for v in l]",
            "x = [chr(97+v%26) for v in l]",
            "x = [pow(v,3,1000) for v in l]",
            "x = collections.deque(l); x.rotate(3)",
            "x = collections.defaultdict(list); [x[v%10].append(v) for v in l]",
            "x = [bool(v) for v in l]",
            "x = [str(v)[::-1] for v in l]",
            "x = [sum(map(int,str(v))) for v in l[:N//4]]",
            "x = [v for v in l if v not in (3,5,7)]",
            "x = sum(1 for v in l if v%3)",
            "x = sum(v*v for v in l)",
            "x = [a for a,b in zip(l,l[1:]) if a<b]",
            "x = max((v*7919%10007,v) for v in l)",
            "x = {}\n    for v in l: x[v%7]=x.get(v%7,0)+1",
            "x = {}\n    for v in l: x.setdefault(v%7,[]).append(v)",
            "x = ''\n    for v in l: x+=str(v)",
            "x = []\n    for v in l:\n        try: x.append(1//(v%2))\n        except ZeroDivisionError: pass",
            "x = []\n    while l: x.append(l.pop())",
            "x = 0\n    for i in range(len(l)): x^=l[i]",
            "x = [0]*10\n    for v in l: x[v%10]+=v",
        ],
    ),
    (
        "t = 'abc'*N",
        [
            "x = [ord(c) for c in t]",
        ],
    ),
    (
        "l = [[0]*100 for _ in range(100)]",
        [
            "x = 0\n    for i in range(100):\n        for j in range(100): l[i][j]+=i*j; x+=l[i][j]",
        ],
    ),
]
FEW = [
    (
        "l = list(range(N))",
        [
            "l.append(i)",
            "l.insert(0, i)",
            "l.pop(0)",
            "l[i] = 5",
            "l.extend((1, 2))",
            "l += [1]",
            "l[5:6] = [1, 2]",
            "l[len(l):] = [i]",
            "del l[3]",
            "del l[-2:]",
            "l.remove(5 + i)",
            "l.reverse()",
            "l[i], l[-i - 1] = l[-i - 1], l[i]",
            "l[i] += 1",
            "l[0:0] = [i]",
            "x = l[5:8]",
            "x = l[-3:]",
            "5 in l",
            "l.index(5)",
            "x = max(l[:3])",
            "x = any(l)",
            "x = l == [1]",
            "x = l < [1]",
            "x = reversed(l)",
            "x = next(itertools.islice(l, 2, 3))",
            "x = enumerate(l)",
            "x = zip(l, l)",
            "x = iter(l)",
        ],
    ),
    (
        "l = [[j] for j in range(N)]",
        [
            "l[i].append(2)",
        ],
    ),
    (
        "d = dict.fromkeys(range(N))",
        [
            "d[i] = 3",
            "d[-i] = 3",
            "del d[i]",
            "d.pop(i)",
            "d.setdefault(-i - 1, []).append(1)",
            "d.update({-i: 2})",
            "d |= {-i: 2}",
            "d.popitem()",
            "next(iter(d))",
            "x = i in d.keys()",
            "len(d.items())",
            "d.get(i)",
            "x = d.keys() & {1,2}",
            "x = next(reversed(d))",
            "x = d | {}",
        ],
    ),
    (
        "s = set(range(N))",
        [
            "s.add(-i)",
            "s.discard(i)",
            "s.update([-i])",
            "s |= {-i}",
            "s.pop()",
            "s -= {i}",
            "x = s & {1, 2}",
            "x = {1, 2} & s",
            "x = {1, 2} - s",
            "x = {1, 2} <= s",
            "x = s >= {1, 2}",
            "x = s.isdisjoint({-1})",
            "x = s.issuperset([1])",
            "x = {1}.issubset(s)",
            "x = next(iter(s))",
            "x = s == {1}",
        ],
    ),
    (
        "q = collections.deque(range(N))",
        [
            "q.append(i)",
            "q.appendleft(i)",
            "q.popleft()",
            "q.rotate(1)",
            "q[i] = 2",
            "q.extend([1])",
            "x = q[-1]",
            "q.pop()",
        ],
    ),
    (
        "c = collections.Counter(range(N))",
        [
            "c[i] += 1",
            "c.update([i])",
            "x = c[5]",
            "c.subtract([5])",
            "c += collections.Counter([5])",
            "del c[i]",
        ],
    ),
    (
        "c = collections.defaultdict(list, {j: [] for j in range(N)})",
        [
            "c[i].append(1)",
        ],
    ),
    (
        "c = collections.OrderedDict.fromkeys(range(N))",
        [
            "c.move_to_end(i)",
            "c.popitem(last=False)",
            "c[i] = 1",
            "x = next(reversed(c))",
            "c.popitem()",
        ],
    ),
    (
        "h = list(range(N))",
        [
            "heapq.heappush(h, i)",
            "heapq.heappop(h)",
            "bisect.insort(h, i)",
        ],
    ),
    (
        "h = 'a' * N",
        [
            "h += 'b'",
        ],
    ),
    (
        "t = 'ab' * N",
        [
            "x = t[5]",
            "x = t[5:9]",
            "x = t.startswith('ab')",
            "x = t.find('b')",
            "x = 'b' in t",
        ],
    ),
    (
        "t = 'é' * N",
        [
            "x = t[5]",
            "x = len(t)",
            "x = t[-3:]",
        ],
    ),
    (
        "t = tuple(range(N))",
        [
            "x = t[1:3]",
            "x, y = t[:2]",
        ],
    ),
    (
        "l = list(range(N)); m = list(range(N))",
        [
            "x = [*l[:2]]",
        ],
    ),
    (
        "c = collections.ChainMap({}, dict.fromkeys(range(N)))",
        [
            "x = c[5]",
        ],
    ),
    (
        "t = bytes(N)",
        [
            "x = t[5]",
            "x = t[5:7]",
        ],
    ),
    (
        "r = range(N)",
        [
            "x = 5 in r",
            "x = r[5:9]",
            "x = r == range(5)",
        ],
    ),
]
