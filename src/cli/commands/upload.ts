import type { Command } from 'commander';
import { fileInput, type UploadedFile } from '../../node.js';
import { type CommonFlags, orThrow, type RunCommand } from '../run-command.js';
import { withConnection, withTimeout } from './common-options.js';

interface UploadFlags extends CommonFlags {
  readonly maskOf?: string;
}

/** Adds `promptwire upload`. */
export const addUpload = (program: Command, runCommand: RunCommand): void => {
  withTimeout(withConnection(program.command('upload')))
    .description('Upload a picture, and print what a workflow refers to it by.')
    .argument('<file>', 'picture to upload')
    .option(
      '--mask-of <name>',
      'the file is a mask for this uploaded picture: [SUBFOLDER/]NAME, or NAME [output] for one that a job made',
    )
    .action((file: string, flags: UploadFlags) =>
      runCommand(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        const options = { signal: stop };
        const upload =
          flags.maskOf === undefined
            ? rest.uploadImage(file, options)
            : rest.uploadMask(file, parseFileReference(flags.maskOf), options);
        const uploaded = orThrow(await upload());
        report({ kind: 'uploaded', value: inputValue(uploaded), ...uploaded });
        return 'done';
      }),
    );
};

/** A file of the service, as `upload` prints it and `--mask-of` takes it. */
export interface FileReference {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** Reads `[SUBFOLDER/]NAME`, optionally followed by ` [input|temp|output]`; the kind is `input` by default. */
export const parseFileReference = (text: string): FileReference => {
  const [, path = text, type = 'input'] = /^(.*?) \[(input|temp|output)\]$/u.exec(text) ?? [];
  const slash = path.lastIndexOf('/');
  return { filename: path.slice(slash + 1), subfolder: slash < 0 ? '' : path.slice(0, slash), type };
};

/** What an upload's report has as `value`, and `--set` takes: a name, or a reference as JSON. */
export const inputValue = (file: UploadedFile): string => {
  const value = fileInput(file);
  return typeof value === 'string' ? value : JSON.stringify(value);
};
