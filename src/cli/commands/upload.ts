import type { Command } from 'commander';
import { inputValue, parseFileReference } from '../input/file-reference.js';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection } from './common-options.js';

interface UploadFlags extends CommonFlags {
  readonly maskOf?: string;
}

/** Adds `promptwire upload`. */
export const addUpload = (program: Command, perform: Perform): void => {
  withConnection(program.command('upload'))
    .description('Upload a picture, and print the name that a workflow calls it by.')
    .argument('<file>', 'picture to upload')
    .option(
      '--mask-of <name>',
      'the file is a mask for this uploaded picture: [SUBFOLDER/]NAME, or NAME [output]',
    )
    .action((file: string, flags: UploadFlags) =>
      perform(flags, async ({ connect, report, stop }) => {
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
