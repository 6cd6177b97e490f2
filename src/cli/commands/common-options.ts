import { type Command, InvalidArgumentError, Option } from 'commander';
import { dialectNames, dialectsHelp } from '../settings.js';
import type { PreviewMethod, SubmitRequests } from '../../node.js';
import { UsageError } from '../cli-io.js';
import type { From } from '../input/graph-file.js';
import { readPattern } from '../input/read-pattern.js';

/** Adds the options of every command with a connection. */
export const withConnection = (command: Command): Command =>
  withJson(command)
    .option('--base-url <url>', 'address of the service, in place of PROMPTWIRE_BASE_URL')
    .option('--key-file <file>', 'read the API key from this file (- is standard input)')
    .option(
      '--header <header>',
      "send 'Name: value' with calls, uploads and the socket, or each line of @FILE; repeatable",
      repeated,
    )
    .addOption(new Option('--dialect <dialect>', `kind of server: ${dialectsHelp}`).choices(dialectNames))
    .addOption(
      new Option(
        '--auth <how>',
        'send the key as X-API-Key (key, the default) or as Authorization: Bearer (bearer)',
      ).choices(['key', 'bearer']),
    )
    .option(
      '--workspace <id>',
      'id of the workspace of a cloud service to work in; default the personal one, or that of the key',
    )
    .option(
      '--allow-clear-text',
      'let the key and secret headers cross a public network in clear text (http:)',
    )
    .option(
      '--max-answer-bytes <n>',
      'largest answer of the service that is read, such as a record or a queue',
      positive,
    )
    .option('--max-message-bytes <n>', 'largest message of the socket that is taken', positive);

/** Adds `--from` and the bound of the search, for commands that read a workflow. */
export const withFrom = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--from <which>',
        "of a file with both: the executed graph (prompt, the default) or the editor's file (workflow)",
      ).choices(['prompt', 'workflow']),
    )
    .option(
      '--max-metadata-bytes <n>',
      'how much metadata of a picture or video is searched; default 128 MiB',
      positive,
    )
    .option(
      '--max-parts <n>',
      'how many parts of a picture or video are searched, such as chunks; default 65,536',
      positive,
    );

/** The options that {@link withFrom} adds. */
export interface FromFlags {
  readonly from?: From;
  readonly maxMetadataBytes?: number;
  readonly maxParts?: number;
}

/** Adds `--json`. */
export const withJson = (command: Command): Command =>
  command.option('--json', 'write one JSON object a line on standard output, and nothing else there');

/** Adds what a submission may ask for. */
export const withRequests = (command: Command): Command =>
  command
    .option('--target <id>', 'run this output node and what it needs, and no others; repeatable', repeated)
    .option('--front', 'put the job before those that wait; not at a service of API v2')
    .option('--label <key=value>', 'label the job at a service that keeps labels (v2); repeatable', repeated)
    .addOption(
      new Option('--preview-method <method>', 'how a local server makes previews of this job').choices([
        'default',
        'none',
        'auto',
        'latent2rgb',
        'taesd',
      ]),
    );

/** The options that {@link withRequests} adds. */
export interface RequestFlags {
  readonly target?: readonly string[];
  readonly front?: boolean;
  readonly label?: readonly string[];
  readonly previewMethod?: PreviewMethod;
}

/** Reads the options that {@link withRequests} adds; throws `UsageError` for a label without a key. */
export const requestsOf = ({ target, front, label, previewMethod }: RequestFlags): SubmitRequests => ({
  ...(target && { targets: target }),
  ...(front && { front }),
  ...(label && { labels: Object.fromEntries(label.map(labelOf)) }),
  ...(previewMethod && { previewMethod }),
});

const labelOf = (text: string): readonly [string, string] => {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--label takes key=value, and not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
};

/** Adds the options of every command that watches a job. */
export const withWatching = (command: Command): Command =>
  withTimeout(withSaving(command)).option('--no-preview', 'show no preview pictures');

/** Adds the options of every command that saves files. */
export const withSaving = (command: Command): Command =>
  command
    .option(
      '--out <dir>',
      'folder for the files, made where it is missing; an existing file stays, and the new one is called name~2',
      folderPath,
      'outputs',
    )
    .addOption(
      new Option(
        '--include <kind>',
        'save the temporary files of preview nodes as well as the outputs',
      ).choices(['temp']),
    )
    .option('--name <pattern>', 'name the files, such as {title}-{seed}-{index}', readPattern);

/** The options that {@link withSaving} adds. */
export interface SavingFlags {
  readonly out: string;
  readonly include?: 'temp';
  readonly name?: string;
}

/** Adds `--timeout`. */
export const withTimeout = (command: Command): Command =>
  command.option(
    '--timeout <seconds>',
    'stop after so many seconds from the start; the job goes on',
    positive,
  );

/** Reads a number above 0. */
export const positive = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It is a number above 0.');
  return value;
};

/** Reads an integer from 0 to `max`. */
export const integer =
  (max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/u.test(text) || value > max)
      throw new InvalidArgumentError(`It is an integer from 0 to ${max}.`);
    return value;
  };

/** Reads the path of a folder that may be made: a blank one is what an unset variable leaves. */
export const folderPath = (text: string): string => {
  if (text.trim() === '')
    throw new InvalidArgumentError(
      'It is blank: the variable that it comes from may be unset in this process.',
    );
  return text;
};

/** Collects a repeatable option. */
export const repeated = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];
