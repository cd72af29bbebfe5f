#pragma once

#include <string>
#include <vector>

namespace shim {

/// Rewrites shared memory in preprocessed text and adds the table of kernels.
std::string translate(const std::string& text, const std::vector<std::string>& expressions);

}  // namespace shim
