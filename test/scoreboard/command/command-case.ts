/** One run of the command, or several after each other, held to what docs/cli.md and docs/guide/command.md says of it. */
export interface CommandCase {
  readonly name: string;
  /** Resolves with what deviates. `main` is the built command. */
  readonly run: (main: string) => Promise<readonly string[]>;
}

/** Says where a value is another one than expected. */
export const differs = (what: string, got: unknown, expected: unknown): readonly string[] =>
  JSON.stringify(got) === JSON.stringify(expected)
    ? []
    : [`${what}: ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`];

/** The lines of `--json`; a line that is none is one with that kind. */
export const jsonLinesOf = (stdout: string): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as Record<string, unknown>;
      } catch {
        return { kind: `no JSON: ${line.slice(0, 80)}` };
      }
    });
