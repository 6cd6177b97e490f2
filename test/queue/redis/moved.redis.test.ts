import { aQueue, playedClient } from '../worker/a-worker.js';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** Commands that a node of a cluster takes whatever its slots are. */
const withoutKeys =
  /^(?:acl|auth|client|config|hello|info|ping|quit|select|script|subscribe|time|unsubscribe)$/iu;

/** What has the server itself answer `MOVED`, in the order of its answers. */
const redirected = ((lua: string) =>
  Buffer.from(`*3\r\n$4\r\nEVAL\r\n$${lua.length}\r\n${lua}\r\n$1\r\n0\r\n`))(
  "return redis.error_reply('MOVED 3999 10.0.0.1:6381')",
);

/** Splits what a client has sent into whole commands and what is left. */
const commandsIn = (bytes: Buffer): { readonly whole: readonly Buffer[]; readonly rest: Buffer } => {
  const whole: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const lineEnd = (from: number): number => rest.indexOf('\r\n', from);
    let at = lineEnd(0);
    let left = at === -1 ? 0 : Number(rest.toString('latin1', 1, at));
    if (at === -1) return { whole, rest };
    for (at += 2; left > 0; left -= 1) {
      const end = lineEnd(at);
      if (end === -1) return { whole, rest };
      at = end + 2 + Number(rest.toString('latin1', at + 1, end)) + 2;
    }
    if (at > rest.length) return { whole, rest };
    whole.push(rest.subarray(0, at));
    rest = rest.subarray(at);
  }
};

const nameOf = (command: Buffer): string => command.toString('latin1').split('\r\n')[2] ?? '';

/** The address of a server that is, while `state.isMoved`, a node of a cluster that has none of the keys. */
const movable = async (port: number) => {
  const state = { isMoved: false };
  const proxy = createServer((socket) => {
    const other = connect(port, '127.0.0.1');
    for (const one of [socket, other]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        socket.destroy();
        other.destroy();
      });
    }
    other.pipe(socket);
    let kept = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      const { whole, rest } = commandsIn(Buffer.concat([kept, bytes]));
      kept = Buffer.from(rest);
      for (const command of whole)
        other.write(state.isMoved && !withoutKeys.test(nameOf(command)) ? redirected : command);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return { state, connection: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
};

describeRedis((server) => {
  it('Q9 says that the server is a node of a cluster now (MOVED), and goes on once it is none', async () => {
    const { state, connection } = await movable(server().port);
    const { account, work } = aQueue(server());
    const queue = createJobQueue({ ...account, connection });
    onTestFinished(() => queue.close());
    const { service, client } = playedClient();
    const told: string[] = [];
    const onWarning = (message: string): void => void told.push(message);
    const worker = work(client, { connection, tier: 1, onWarning });
    await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(1);
    await worker.ready;
    told.splice(0);
    state.isMoved = true;
    const refused = queue.add(workflow);
    await expect(refused).rejects.toMatchObject({ _tag: 'Network', code: 'MOVED', sent: false });
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining('takes no writes now: MOVED 3999 10.0.0.1:6381') as string,
      hint: 'The server is a node of a cluster now, which a queue does not run on.',
    });
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(async () => (await worker.health()).ready).toBe(false);
    expect((await worker.health()).reason).toContain('MOVED');
    await expect.poll(() => told.join()).toContain('MOVED');
    state.isMoved = false;
    await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(2);
    service.move(service.submitted[1]!.promptId, 'completed');
    await expect.poll(async () => (await queue.stats()).ended).toBe(2);
    expect(await worker.health()).toMatchObject({ ready: true });
  });
});
