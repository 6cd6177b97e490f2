// A test of a user: a job, a reconnect and a lost answer in virtual time, by the test runner of Node.js.
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { createClient, outputFiles } from 'promptwire';
import { phaseTimeline, scriptedService } from 'promptwire/testing';

const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };

/** No test of these may open a socket. */
net.Socket.prototype.connect = () => assert.fail('a socket was opened');

const lifeOf = async (options) => {
  const service = scriptedService(options);
  const client = createClient(service);
  const life = phaseTimeline(client.run(workflow), service.clock);
  await service.clock.runUntilIdle();
  await client.close();
  return { service, life };
};

test('a job', async () => {
  const { life, service } = await lifeOf();
  assert.match(life.diagram, /^submitting .* pending .* in_progress .* completed \|$/);
  assert.equal(outputFiles(life.states.at(-1).outputs).length, 1);
  assert.equal(service.openSockets, 0);
});

test('a reconnect', async () => {
  const { life, service } = await lifeOf({ faults: [{ kind: 'dropped socket', atMs: 150 }] });
  assert.match(life.diagram, /completed \|$/);
  assert.equal(service.jobs.length, 1);
});

test('a fault', async () => {
  const { life, service } = await lifeOf({ faults: [{ kind: 'lost answer', route: 'submit' }] });
  assert.equal(life.error._tag, 'OutcomeUnknown');
  assert.equal(service.jobs.length, 1);
});

test('handlers for MSW, an optional peer that is not installed here', async () => {
  await assert.rejects(import('promptwire/testing/msw'), { code: 'ERR_MODULE_NOT_FOUND', message: /'msw'/ });
});
