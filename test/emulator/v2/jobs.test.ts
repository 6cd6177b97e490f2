import { describe, expect, it } from 'vitest';
import { allEventsOf, ask, submitJob } from './support.js';
import { endless, failing, open, quick } from '../support.js';
import { textToImageWorkflow } from '../../../src/emulator.js';

const small = textToImageWorkflow({ steps: 2, width: 64, height: 64 });

describe('a job of API v2', () => {
  it('is found by the first poll after 201, and tells its whole course on its stream', async () => {
    const emulator = await open({ dialect: 'v2' });
    const accepted = await ask(emulator, 'POST', '/jobs', { body: { workflow: small } });
    expect(accepted.status).toBe(201);
    const { id, urls } = accepted.body as { id: string; urls: Record<string, string> };
    expect((await ask(emulator, 'GET', urls['self'] ?? '')).body['id']).toBe(id);

    const events = await allEventsOf(emulator, id);
    expect(events[0]?.event).toBe('status');
    expect(events.at(-1)).toEqual({ event: 'status', data: { status: 'succeeded', queue_position: null } });
    const announced = events.filter(({ event }) => event === 'output').map(({ data }) => data['id']);

    const { body } = await ask(emulator, 'GET', urls['self'] ?? '');
    const outputs = body['outputs'] as Record<string, unknown>[];
    expect(body).toMatchObject({ status: 'succeeded', error: null, progress: { value: 1 } });
    expect(outputs.map((output) => output['id'])).toEqual(expect.arrayContaining(announced));
    expect(outputs.map((output) => output['type'])).toEqual(['image', 'image']);
    expect((await ask(emulator, 'GET', urls['events'] ?? '')).text).toBe(
      'event: status\ndata: {"status":"succeeded","queue_position":null}\n\n',
    );
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed']);
    expect(emulator.openStreams).toBe(0);
  });

  it('names the node that failed, and gives the workflow back as it was submitted', async () => {
    const emulator = await open({ dialect: 'v2' });
    const { id } = await submitJob(emulator, failing('OOMError'));
    await allEventsOf(emulator, id);
    const { body } = await ask(emulator, 'GET', `/jobs/${String(id)}`);
    expect(body).toMatchObject({
      status: 'failed',
      error: {
        code: 'node_execution_error',
        message: 'as ordered',
        node_id: '1',
        class_type: 'FailOnPurpose',
      },
    });
    const { body: kept } = await ask(emulator, 'GET', `/jobs/${String(id)}/workflow`);
    expect(kept).toEqual({ workflow: failing('OOMError'), format: 'api' });
  });

  it('is canceled on request, with the same answer to every later request', async () => {
    const emulator = await open({ dialect: 'v2', concurrency: 1, speed: 50 });
    const [running, waiting] = [await submitJob(emulator, endless), await submitJob(emulator, endless)];
    const first = await ask(emulator, 'POST', `/jobs/${String(waiting['id'])}/cancel`);
    expect([first.status, first.body['status']]).toEqual([200, 'canceled']);
    expect((await ask(emulator, 'POST', `/jobs/${String(waiting['id'])}/cancel`)).body).toEqual(first.body);
    expect((await ask(emulator, 'POST', `/jobs/${String(running['id'])}/cancel`)).body['status']).toBe(
      'canceling',
    );
    const events = await allEventsOf(emulator, running['id']);
    expect(events.at(-1)?.data['status']).toBe('canceled');
    expect((await ask(emulator, 'POST', '/jobs/none/cancel')).body).toMatchObject({
      error: { code: 'job_not_found' },
    });
  });

  it('is submitted once for each idempotency key, which a refusal releases', async () => {
    const emulator = await open({ dialect: 'v2' });
    const submit = (workflow: unknown) =>
      ask(emulator, 'POST', '/jobs', { body: { workflow }, headers: { 'idempotency-key': 'one' } });
    expect((await submit({})).body).toMatchObject({ error: { code: 'invalid_workflow' } });
    expect((await submit(quick)).status).toBe(201);
    expect((await submit(quick)).body).toMatchObject({ error: { code: 'idempotency_key_reuse' } });
    expect(emulator.ledger.jobs).toHaveLength(1);
  });
});
