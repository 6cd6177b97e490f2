import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type Workflow } from '../../src/node.js';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { isLeft } from '../../src/core/protocol/either.js';
import { lastValueFrom } from 'rxjs';

const workflow: Workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 1 } } };

const service = async (options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({ profile: '2026-11', speed: Infinity, ...options });
  const client = createClient(emulator);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, client };
};

describe('a submission to a cloud service whose answer was lost', () => {
  it('E28: is found among jobs of the same workflow by its marker, and submitted once', async () => {
    const { emulator, client } = await service();
    const stranger = createClient(emulator);
    onTestFinished(() => stranger.close());
    for (let nth = 0; nth < 3; nth += 1) await stranger.rest.submit(workflow)();
    emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    const job = await client.submit(workflow)();
    if (isLeft(job)) throw job.left;
    expect(job.right.promptId).toBe(emulator.ledger.jobs.at(-1)?.promptId);
    expect((await lastValueFrom(job.right.states)).phase).toBe('completed');
    expect(emulator.ledger.jobs).toHaveLength(4);
  });

  it('E28: stays unknown where the service shows no marker, and takes no job of a stranger', async () => {
    const { emulator, client } = await service({ switches: { extraDataIs: 'dropped' } });
    await createClient(emulator).rest.submit(workflow)();
    emulator.answerOnce('POST', '/api/prompt', { status: 502, afterCommit: false });
    const signal = AbortSignal.timeout(1_500);
    const answer = await client.submit(workflow, { signal, findLost: true })();
    expect(answer).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  });
});
