"""The kernel against jupyter_kernel_test, with every sample filled in."""

import unittest

import jupyter_kernel_test

KERNEL = "genesis"


class Protocol(jupyter_kernel_test.KernelTests):
    kernel_name = KERNEL
    # Papermill and its like choose by this name how to write a cell.
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import warnings\nwarnings.warn('careful')"
    completion_samples = [
        {"text": "zeros_l", "matches": {"zeros_like"}},
        {"text": "'\N{CRAB}' + arang", "matches": {"arange"}},
        {"text": ":explai", "matches": {"explain"}},
        {"text": "np_no_such_name", "matches": set()},
    ]
    complete_code_samples = ["x = 1", "1 + 1", "print('a')", ":mem", "x = [1,\n2]", ""]
    incomplete_code_samples = ["x = [1,", "zeros((2,", "'''text", "x = 1 + \\"]
    invalid_code_samples = ["x = )", "1 +* 2", "'open"]
    code_page_something = "zeros?"
    code_generate_error = "x = arange(3)\nx[5]"
    code_execute_result = [
        {"code": "1+2+3", "result": "6"},
        {"code": "'a' * 3", "result": "'aaa'"},
        {"code": "1_000 * 2", "result": "2000"},
    ]
    code_display_data = [
        {"code": ":mem", "mime": "text/plain"},
        {"code": ":explain ones(3) + 1", "mime": "text/plain"},
    ]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "1?2*"
    code_inspect_sample = "zeros"
    code_clear_output = ":clear"


class Welcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = KERNEL
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main()
