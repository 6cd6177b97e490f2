import { readFileSync } from 'node:fs';

/** An example in a text. */
export interface Fence {
  /** Where it begins. */
  readonly line: number;
  readonly code: string;
}

/** The examples of a file in this language; `strip` takes off what stands before each line. */
export const fencesOf = (file: string, language = 'ts', strip = /^$/): readonly Fence[] => {
  const fences: Fence[] = [];
  let open: { line: number; code: string[] } | undefined;
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((raw, index) => {
      const line = raw.replace(strip, '');
      if (open === undefined) {
        if (line.trim() === `\`\`\`${language}`) open = { line: index + 1, code: [] };
      } else if (line.trim() === '```') {
        fences.push({ line: open.line, code: open.code.join('\n') });
        open = undefined;
      } else {
        open.code.push(line);
      }
    });
  return fences;
};
