import { createClient } from '../../src/node.js';
import { refuseOpenFile } from '../../src/cli/input/private-file.js';

/** Says whether the command and `createClient()` take the file with a secret that is named. */
const [, , file = ''] = process.argv;
const told = async (who: string, take: () => unknown): Promise<void> => {
  try {
    await take();
    process.stdout.write(`${who}: taken\n`);
  } catch (error) {
    const isRefused = String(error).includes('chmod 600') && !String(error).includes('sesame');
    process.stdout.write(`${who}: ${isRefused ? 'refused' : String(error)}\n`);
  }
};
await told('command', () => refuseOpenFile(file, 'key'));
process.env['PROMPTWIRE_API_KEY_FILE'] = file;
await told('client', () => createClient().close());
