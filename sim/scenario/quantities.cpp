// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/quantities.hpp"

#include <algorithm>
#include <charconv>

namespace perfsim {

namespace {

constexpr u64 kRatioPartMax = 1'000'000;

struct Unit {
    const char* name;
    u64 ps;
};

constexpr Unit kUnits[] = {
    {"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000},
};

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(' ');
    const auto last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

} // namespace

std::optional<u64> parse_u64(const std::string& text)
{
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char* first = text.data() + (hex ? 2 : 0);
    const char* last = text.data() + text.size();
    u64 value = 0;
    const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
    if (error != std::errc() || end != last || first == last)
        return std::nullopt;
    return value;
}

std::optional<i64> parse_i64(const std::string& text)
{
    const bool negative = !text.empty() && text[0] == '-';
    const std::optional<u64> magnitude = parse_u64(negative ? text.substr(1) : text);
    constexpr u64 kMax = ~u64{0} >> 1;
    if (!magnitude || *magnitude > kMax)
        return std::nullopt;
    return negative ? -static_cast<i64>(*magnitude) : static_cast<i64>(*magnitude);
}

std::optional<u64> parse_time_ps(const std::string& text)
{
    const auto unit_at = text.find_first_not_of("0123456789.");
    if (unit_at == std::string::npos || unit_at == 0)
        return std::nullopt;
    const std::string number = text.substr(0, unit_at);
    const std::string unit = trimmed(text.substr(unit_at));
    const auto known = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](Unit const& candidate) { return unit == candidate.name; });
    if (known == std::end(kUnits))
        return std::nullopt;

    const auto dot = number.find('.');
    const std::string whole = number.substr(0, dot);
    const std::string fraction = dot == std::string::npos ? "" : number.substr(dot + 1);
    if (whole.empty() || (dot != std::string::npos && fraction.empty()))
        return std::nullopt;
    const std::optional<u64> units = parse_u64(whole);
    unsigned __int128 ps = static_cast<unsigned __int128>(units.value_or(0)) * known->ps;
    u64 scale = known->ps;
    for (char digit : fraction) {
        if (digit == '.' || scale % 10 != 0)
            return std::nullopt;
        scale /= 10;
        ps += static_cast<u64>(digit - '0') * scale;
    }
    constexpr u64 kMax = ~u64{0} >> 1;
    if (!units || ps > kMax)
        return std::nullopt;
    return static_cast<u64>(ps);
}

std::optional<Ratio> parse_ratio(const std::string& text)
{
    const auto slash = text.find('/');
    const std::optional<u64> num = parse_u64(text.substr(0, slash));
    const std::optional<u64> den =
        slash == std::string::npos ? std::optional<u64>(1) : parse_u64(text.substr(slash + 1));
    if (!num || !den || *den == 0 || *num > kRatioPartMax || *den > kRatioPartMax)
        return std::nullopt;
    return Ratio{*num, *den};
}

} // namespace perfsim
