import { at, type Line } from './helpers/examined.js';
import { bundledFile } from '../helpers/bundle-program.js';
import { certificatePath, tlsServer } from '../helpers/tls-server.js';
import { expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';

// Which certificates are trusted is settled as a process starts.
it('the doctor takes a certificate that this machine trusts', async () => {
  await using server = await tlsServer(() => undefined);
  const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
  const child = spawn(
    process.execPath,
    [await bundledFile(main, { withPackages: true }), 'doctor', '--json', '--patience', '5'],
    { env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificatePath, ...at(server.url) } },
  );
  const lines = jsonLines(await textOf(child.stdout)) as unknown as readonly Line[];
  expect(lines.find(({ check }) => check === 'tls')).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('the certificate ends in') as unknown,
  });
});
