import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand } from '../run-command.js';
import { withConnection } from './common-options.js';

interface UploadFlags extends CommonFlags {
  readonly maskOf?: string;
}

/** Adds `promptwire upload`. */
export const addUpload = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('upload'))
    .description('Upload a picture, and print the name that a workflow calls it by.')
    .argument('<file>', 'picture to upload')
    .option(
      '--mask-of <name>',
      'the file is a mask for this uploaded picture: [SUBFOLDER/]NAME, or NAME [output]',
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

/** The value of a workflow's input: `[SUBFOLDER/]NAME`. */
export const inputValue = (file: { readonly name: string; readonly subfolder: string }): string =>
  file.subfolder === '' ? file.name : `${file.subfolder}/${file.name}`;
