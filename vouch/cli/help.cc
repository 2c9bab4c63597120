// --help and completion: see help.h.
#include "vouch/cli/help.h"

namespace vouch::cli {
namespace {

constexpr std::size_t left_column = 28, line_width = 79;

// Breaks at spaces so that no line is wider than `width`; CLI11 indents what follows a newline.
std::string wrap(const std::string& text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (used != 0 && used + 1 + word.size() > width) {
      out += '\n';
      used = 0;
    } else if (used != 0) {
      out += ' ';
      used++;
    }
    out += word;
    used += word.size();
    at = end + 1;
  }
  return out;
}

class HelpFormat final : public CLI::Formatter {
 public:
  HelpFormat() { column_width(left_column); }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (!option->nonpositional() || option->get_type_size() == 0) return {};
    const std::string type = option->get_type_name();
    return " " + type.substr(0, type.find(':'));
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrap(option->get_description(), line_width - left_column);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             wrap(command->get_description(), line_width - left_column), left_column);
    return out.str();
  }
};

void add_cases(const CLI::App& command, const std::string& path, std::string& steps, std::string& words) {
  words += "    \"" + path + "\") words=\"";
  for (const CLI::App* child : command.get_subcommands({})) words += child->get_name() + " ";
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  words += "\" ;;\n";
  for (const CLI::App* child : command.get_subcommands({})) {
    const std::string next = path + " " + child->get_name();
    steps += (steps.empty() ? "\"" : "|\"") + next + "\"";
    add_cases(*child, next, steps, words);
  }
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() {
  return std::make_shared<HelpFormat>();
}

std::string bash_completion(const CLI::App& root) {
  std::string steps, words;
  add_cases(root, "", steps, words);
  // A word that is a subcommand of the path so far extends it; anything else is an argument.
  return "_vouch() {\n"
         "  local path=\"\" words=\"\" word cur=\"${COMP_WORDS[COMP_CWORD]}\"\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \"$path $word\" in\n      " +
         steps + ") path=\"$path $word\" ;;\n    esac\n  done\n  case \"$path\" in\n" + words +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  # An argument that is no command or option is a file.\n"
         "  [[ -n \"$cur\" || \"$words\" != --* ]] || COMPREPLY=()\n"
         "}\n"
         "complete -o default -o bashdefault -F _vouch vouch\n";
}

void add_completion_command(CLI::App& root, Context& context) {
  CLI::App* group = Context::add_group(root, "completion", "Print a completion script for your shell");
  context.add_command(*group, "bash", "Completion for bash", "source <(vouch completion bash)",
                      [&root, &context]() -> Status {
                        std::string script = bash_completion(root);
                        script.pop_back();  // print ends the line
                        context.print(script);
                        return ok();
                      });
}

}  // namespace vouch::cli
