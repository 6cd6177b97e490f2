import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../../src/emulator.js';
import { call, endless, quick } from '../support.js';
import { listenLocal, openLocal, post, queue, record, runLocal } from './support.js';

const ownId = '11111111-1111-4111-8111-111111111111';

/** An engine that runs one job of a stranger, while one of ours waits. */
const withTwoJobs = async (engine: '0.3.40' | '0.3.64') => {
  const emulator = await openLocal({ engine, speed: 20 });
  const stranger = await listenLocal(emulator, 'stranger');
  const running = String((await post(emulator, endless, 'stranger')).body['prompt_id']);
  await stranger.until('progress');
  const waiting = String((await post(emulator, quick, 'mine')).body['prompt_id']);
  return { emulator, stranger, running, waiting };
};

describe('the release that a local server plays', () => {
  it('M3: before July 2025 makes an id of its own for each job, whatever the submission says', async () => {
    const emulator = await openLocal({ engine: '0.3.40' });
    const { body } = await post(emulator, quick, 'x', { prompt_id: ownId });
    expect(body['prompt_id']).toMatch(/^[\da-f-]{36}$/u);
    expect(body['prompt_id']).not.toBe(ownId);
    expect(emulator.ledger.jobs.map(({ promptId }) => promptId)).toEqual([body['prompt_id']]);
  });

  it('M3: before September 2025 ends what runs, though the interrupt names a waiting job', async () => {
    const { emulator, stranger, running, waiting } = await withTwoJobs('0.3.40');
    expect((await call(emulator, 'POST', '/interrupt', { prompt_id: waiting })).status).toBe(200);
    const { data } = await stranger.until('execution_interrupted');
    expect(data['prompt_id']).toBe(running);
  });

  it('M3: since then spares the running job where the interrupt names another', async () => {
    const { emulator, stranger, running, waiting } = await withTwoJobs('0.3.64');
    await call(emulator, 'POST', '/interrupt', { prompt_id: waiting });
    await stranger.settle();
    expect(await queue(emulator)).toEqual({ running: [running], pending: [waiting] });
  });

  it('M3: ignores the body of an interrupt where it reads none, also a list', async () => {
    const emulator = await openLocal({ engine: '0.3.40' });
    expect((await call(emulator, 'POST', '/interrupt', [1])).status).toBe(200);
  });

  it('M3: before async nodes sends no progress_state, answers no flags and runs every output', async () => {
    const emulator = await openLocal({ engine: '0.3.40' });
    const listener = await listenLocal(emulator, 'x');
    listener.socket.send(
      JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }),
    );
    await listener.settle();
    const two = { 1: quick[1], 2: { class_type: 'SlowNode', inputs: { steps: 1 } } };
    const { body } = await post(emulator, two, 'x', { partial_execution_targets: ['1'] });
    const promptId = String(body['prompt_id']);
    await listener.until('executing', ({ node }) => node === null);
    const types = new Set(listener.heard.map(({ type }) => type));
    expect(types).not.toContain('progress_state');
    expect(types).not.toContain('feature_flags');
    expect(Object.keys((await record(emulator, promptId))?.['outputs'] ?? {})).toEqual(['1', '2']);
    expect((await call(emulator, 'GET', '/features')).status).toBe(404);
  });

  it('M3: is told by system_stats', async () => {
    const version = async (engine?: '0.3.40') => {
      const { body } = await call(await openLocal({ engine }), 'GET', '/system_stats');
      return (body['system'] as { comfyui_version: string }).comfyui_version;
    };
    expect([await version('0.3.40'), await version()]).toEqual(['0.3.40', '0.3.64']);
  });

  it('M4: calls a run that came to a cycle a success, in all but its last message', async () => {
    const emulator = await openLocal();
    const { promptId, listener } = await runLocal(emulator, {
      1: { class_type: 'CycleOnPurpose', inputs: {} },
    });
    const status = (await record(emulator, promptId))?.['status'] as Record<string, unknown>;
    expect(status).toMatchObject({ status_str: 'success', completed: true });
    expect((status['messages'] as unknown[][]).at(-1)?.[0]).toBe('execution_error');
    expect(listener.types()).not.toContain('execution_success');
    expect(emulator.ledger.jobs[0]?.state).toBe('failed');
  });

  it.each([
    [
      { engine: '0.2.0', dialect: 'local' },
      "engine is '0.2.0'; it takes 0.3.40, 0.3.64, 0.6, 0.9, 0.26, latest",
    ],
    [{ engine: '0.3.40' }, "engine is the release of a local server: it takes dialect 'local'"],
  ])('M3: is refused by name: %j', async (options, message) => {
    await expect(startEmulator(options as never)).rejects.toThrow(new RangeError(message));
  });
});
