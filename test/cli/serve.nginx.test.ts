import { describeWith, findProgram } from '../helpers/describe-with.js';
import { expect, it, onTestFinished } from 'vitest';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { freePort } from '../helpers/redis-server.js';
import { join } from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { textToImageWorkflow } from '../../src/emulator.js';
import { tmpdir } from 'node:os';
import { workspace } from './helpers/workspace.js';

/** The block of nginx in the guide, word for word. */
const guide = await readFile(new URL('../../docs/guide/gateway.md', import.meta.url), 'utf8');
const block = /```nginx\n([\s\S]*?)```/u.exec(guide)?.[1] ?? '';
/** The command by which the guide serves behind it. */
const command = /`promptwire (serve --mount [^`]+)`/u.exec(guide)?.[1] ?? '';

const asWeb = { authorization: 'Bearer token-of-the-web-app' };

/** `serve` as the guide has it, behind nginx with the guide's block. */
const behindNginx = async (program: string) => {
  const { cli, emulator } = await workspace({ speed: 1 });
  const running = cli([...command.split(' '), '--port', '0'], {
    env: { PROMPTWIRE_GATEWAY_TOKENS: 'web:token-of-the-web-app' },
  });
  await running.printed('listening on');
  const inner = new URL(/listening on (http:\S+)/u.exec(running.stdout())?.[1] ?? '').port;
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'promptwire-nginx-')), await freePort()];
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log ${join(folder, 'errors')};
    events {}
    http { access_log off; ${bodies.join(' ')}
      server { listen 127.0.0.1:${port}; ${block.replace('8189', inner)} } }`,
  );
  const nginx = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  onTestFinished(async () => {
    const exited = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await exited;
    running.signal('SIGTERM');
    await running.exit;
    await rm(folder, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${port}/comfy`;
  await expect
    .poll(() =>
      fetch(`${base}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const submit = async (workflow: object) => {
    const body = JSON.stringify({ workflow });
    const headers = { ...asWeb, 'content-type': 'application/json' };
    const answer = await fetch(`${base}/api/v2/jobs`, { method: 'POST', body, headers });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { readonly id: string };
  };
  return { base, submit, emulator };
};

describeWith('nginx', findProgram('nginx') ?? findProgram('/usr/sbin/nginx'), (program) => {
  it('T10 the block of the guide hands on events as they come, and answers with links of its own address', async () => {
    const { base, submit } = await behindNginx(program);
    const { id } = await submit(textToImageWorkflow({ steps: 12, width: 64, height: 64 }));
    const events = await fetch(`${base}/api/v2/jobs/${id}/events`, { headers: asWeb });
    const reader = events.body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).not.toContain('succeeded');
    for (let one = await reader.read(); !one.done; one = await reader.read());
    const job = await fetch(`${base}/api/v2/jobs/${id}`, { headers: asWeb });
    const text = await job.text();
    const links = [...text.matchAll(/"(https?:\/\/[^"]+)"/gu)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      expect(link.startsWith(`${base}/`)).toBe(true);
      expect((await fetch(link, { headers: asWeb })).status).toBe(200);
    }
  });

  it('T10 the block of the guide takes uploads of the size that the gateway takes', async () => {
    const { base } = await behindNginx(program);
    const form = new FormData();
    const bytes = new Uint8Array(3 * 2 ** 20).fill(7);
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'large.png');
    const answer = await fetch(`${base}/uploads`, { method: 'POST', body: form, headers: asWeb });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(await answer.json())).toContain('.png');
  });
});
