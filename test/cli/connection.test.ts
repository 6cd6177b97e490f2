import { firstValueFrom, from, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { connectionChanges } from '../../src/cli/commands/watch-job.js';
import type { ConnectionState } from '../../src/node.js';
import { jsonLines } from './helpers/json-lines.js';
import { slowWorkflow } from './helpers/workflows.js';
import { workspace } from './helpers/workspace.js';

describe('a connection that is lost while the job runs', () => {
  it('is told with the reason, as is that the job goes on, and that the connection is back', async () => {
    const { cli, file, emulator } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000))]);
    await running.printed('Running');
    emulator.refuseSockets(503);
    emulator.cutSockets();
    await running.printed(/Connection lost \(.+\)\. The job goes on; /u);
    emulator.refuseSockets(undefined);
    await running.printed('Connected again.');
    expect(running.stderr().match(/Connection lost/gu)).toHaveLength(1);
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
  });

  it('is a line of --json, and no state has an estimate until the connection is back', async () => {
    const { cli, file, emulator } = await workspace({ speed: 2 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('timeLeftMs');
    emulator.refuseSockets(503);
    emulator.cutSockets();
    await running.printed('"state":"lost"');
    emulator.refuseSockets(undefined);
    await running.printed('"state":"back"');
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
    const lines = jsonLines(running.stdout());
    expect(lines.filter(({ kind }) => kind === 'connection')).toEqual([
      {
        kind: 'connection',
        promptId: lines[0]?.['promptId'],
        state: 'lost',
        reason: expect.any(String) as string,
      },
      { kind: 'connection', promptId: lines[0]?.['promptId'], state: 'back' },
    ]);
    const kinds = lines.map(({ kind }) => kind);
    const between = lines.slice(kinds.indexOf('connection'), kinds.lastIndexOf('connection'));
    expect(between.filter((line) => 'timeLeftMs' in line)).toEqual([]);
  });
});

describe('connectionChanges', () => {
  const open: ConnectionState = { _tag: 'open', clientId: 'c' };
  const connecting = (attempt: number): ConnectionState => ({ _tag: 'connecting', attempt });
  const waiting = (attempt: number): ConnectionState => ({
    _tag: 'waiting',
    attempt,
    delayMs: 1,
    reason: `no ${attempt}`,
  });
  const changes = (...states: readonly ConnectionState[]) =>
    firstValueFrom(from(states).pipe(connectionChanges(), toArray()));

  it('says nothing of the first opening', async () => {
    expect(await changes({ _tag: 'idle' }, connecting(0), open, { _tag: 'closed' })).toEqual([]);
  });

  it('tells a connection that never opened from one that was lost, and each of them once', async () => {
    const suspended: ConnectionState = { _tag: 'suspended', attempt: 2, reason: 'no 2' };
    expect(await changes(connecting(0), waiting(0), connecting(1), waiting(1), suspended, open)).toEqual([
      { state: 'missing', reason: 'no 0' },
      { state: 'back' },
    ]);
    expect(await changes(open, waiting(0), connecting(1), open, waiting(0))).toEqual([
      { state: 'lost', reason: 'no 0' },
      { state: 'back' },
      { state: 'lost', reason: 'no 0' },
    ]);
  });
});
