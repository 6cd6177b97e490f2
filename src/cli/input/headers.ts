import { readText, type TextSource } from './read-json.js';
import { refuseOpenFile } from './private-file.js';
import { UsageError } from '../cli-io.js';

/** A header as `--header` takes it. */
type Header = readonly [name: string, value: string];

/** Reads the values of `--header`: `Name: value`, or `@FILE` with one header a line, where empty lines and `#` lines don't count. */
export const readHeaders = async (
  texts: readonly string[],
  source: TextSource,
): Promise<readonly Header[]> => {
  const lines = await Promise.all(
    texts.map(async (text) => (text.startsWith('@') ? linesOf(text.slice(1), source) : [text])),
  );
  return lines.flat().map(readHeader);
};

const linesOf = async (file: string, source: TextSource): Promise<readonly string[]> => {
  const content = await readText(file, source);
  if (file !== '-') await refuseOpenFile(file, 'header');
  return content.split(/\r?\n/u).filter((line) => line.trim() !== '' && !line.startsWith('#'));
};

/** The error does not repeat the text, as it may hold a secret. */
const readHeader = (text: string): Header => {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError("--header takes 'Name: value', or @FILE with one header a line");
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
};

/** The header values among a command's arguments, which errors about the arguments may quote; the name of a file is no such value. */
export const headerArguments = (argv: readonly string[]): readonly string[] =>
  argv.flatMap((text, index) => {
    const given = argv[index - 1] === '--header' ? text : /^--header=(.*)$/su.exec(text)?.[1];
    return given === undefined || given.startsWith('@') ? [] : [valueOf(given)];
  });

const valueOf = (text: string): string => text.slice(text.indexOf(':') + 1).trim();
