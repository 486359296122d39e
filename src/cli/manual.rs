//! Shell completions and manual pages.
//!
//! Both are generated from the command line definitions, so they cannot go out of date. The guide is generated from
//! `docs/`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, guide};
use crate::base::release::RELEASE;

/// Prints completions for a shell.
pub(super) fn print_completions(shell: Shell) -> anyhow::Result<()> {
    Ok(io::stdout().write_all(&completions(shell))?)
}

/// Generated in memory, because the generator panics when a pipe is closed early.
fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "schoolhouse", &mut script);
    script
}

/// Writes `schoolhouse.1`, `schoolhouse-serve.1` and so on, and the guide.
pub(super) fn write_pages(folder: &Path) -> anyhow::Result<()> {
    // The rules in force are the machine's on which a page is written, not the reader's.
    clap_mangen::generate_to(Cli::command().long_version(RELEASE), folder)
        .and_then(|()| std::fs::write(folder.join(guide::FILE), guide::page()))
        .with_context(|| format!("writing manual pages into {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use clap::{Command, ValueEnum};

    use super::*;

    /// Every command with its full name, such as `config check`.
    fn commands(of: &Command, before: &str) -> Vec<(String, Command)> {
        of.get_subcommands()
            .filter(|command| !command.is_hide_set())
            .flat_map(|command| {
                let words = format!("{before} {}", command.get_name()).trim().to_owned();
                let below = commands(command, &words);
                [(words, command.clone())].into_iter().chain(below)
            })
            .collect()
    }

    #[test]
    fn every_shell_completes_every_command() {
        let commands = commands(&Cli::command(), "");
        assert!(commands.len() > 15, "{commands:?}");
        for shell in Shell::value_variants() {
            let script = String::from_utf8(completions(*shell)).unwrap();
            for (words, command) in &commands {
                assert!(script.contains(command.get_name()), "{shell}: {words}");
                for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                    assert!(script.contains(option), "{shell}: {words} --{option}");
                }
            }
        }
    }

    #[test]
    fn every_command_and_its_options_are_in_the_operators_document() {
        let document = include_str!("../../docs/operate.md");
        let commands = commands(&Cli::command(), "");
        let leaves = commands.iter().filter(|(_, command)| !command.has_subcommands());
        for (words, command) in leaves {
            let is_row = |line: &&str| {
                line.starts_with(&format!("| `{words}`")) || line.starts_with(&format!("| `{words} "))
            };
            let rows: String = document.lines().filter(is_row).collect();
            assert!(!rows.is_empty(), "{words} has no row under Commands");
            for option in command.get_opts().filter(|option| !option.is_global_set()) {
                let option = format!("--{}", option.get_long().unwrap());
                assert!(rows.contains(&option), "{words} {option}");
            }
        }
    }

    #[test]
    fn every_command_has_a_page_that_names_its_options() {
        let folder = tempfile::tempdir().unwrap();
        write_pages(folder.path()).unwrap();
        // Roff writes a hyphen as \\-.
        let read = |name: &str| {
            let path = folder.path().join(format!("{name}.1"));
            std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{name}: {error}"))
                .replace("\\-", "-")
        };
        let main = read("schoolhouse");
        for (words, command) in commands(&Cli::command(), "") {
            let name = format!("schoolhouse-{}", words.replace(' ', "-"));
            let page = read(&name);
            assert!(page.contains("--data-dir") && page.contains("SCHOOLHOUSE_CONFIG"), "{name}: {page}");
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                assert!(page.contains(&format!("--{option}")), "{name}: --{option}");
            }
            assert!(words.contains(' ') || main.contains(&format!("{name}(1)")), "{name}: {main}");
        }
    }
}
