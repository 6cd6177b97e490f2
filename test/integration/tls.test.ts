import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/node.js';
import { bundledFile } from '../helpers/bundle-program.js';
import { proxyServer } from '../helpers/proxy-server.js';
import { certificatePath, tlsServer } from '../helpers/tls-server.js';
import { mebibyte } from '../../benchmarks/tools/sizes.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a service over TLS', () => {
  it.each(['directly', 'by a proxy'])('sends frames of every kind and answers, %s', async (way) => {
    await using proxy = way === 'directly' ? undefined : await proxyServer();
    const [picture, inParts] = [randomBytes(mebibyte), randomBytes(300_000)];
    await using server = await tlsServer((socket) => {
      socket.send('text ✗');
      socket.send(picture);
      socket.send(inParts.subarray(0, 100_000), { fin: false });
      socket.send(inParts.subarray(100_000));
      socket.send('parts of ', { fin: false });
      socket.send('text', { fin: true });
      socket.close(4001, 'bye');
    });
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [await bundledFile(join(import.meta.dirname, 'programs', 'over-tls.ts'))],
      {
        env: {
          PATH: process.env['PATH'],
          SERVICE_URL: server.url,
          NODE_EXTRA_CA_CERTS: certificatePath,
          PROXY_URL: proxy?.url,
        },
      },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      messages: ['text ✗', sha256(picture), sha256(inParts), 'parts of text'],
      end: { code: 4001, reason: 'bye', byPeer: true },
      queue: 'Right',
    });
    const { host } = new URL(server.url);
    expect(proxy?.asked.map(({ method, target }) => [method, target])).toEqual(
      proxy && [
        ['CONNECT', host],
        ['CONNECT', host],
      ],
    );
  });

  it('A5: is refused for good, with what to do, where its certificate is not trusted', async () => {
    await using server = await tlsServer(() => undefined);
    await using client = createClient({ baseUrl: server.url, apiKey: 'key-of-the-test' });
    const refused = {
      _tag: 'Network',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      sent: false,
      retry: 'never',
      message: 'The network failed (DEPTH_ZERO_SELF_SIGNED_CERT): the certificate is not accepted',
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
    };
    await expect(lastValueFrom(client.frames)).rejects.toMatchObject(refused);
    expect(await client.rest.queue()()).toMatchObject({ _tag: 'Left', left: refused });
  });
});
