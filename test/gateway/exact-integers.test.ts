import { clientOf, life, playedService } from './support.js';
import { createGateway, memoryEventLog, memoryJobIndex } from '../../src/gateway.js';
import { expect, it } from 'vitest';
import { firstValueFrom, map, toArray } from 'rxjs';
import { createRemote } from '../../src/remote.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const large = 18_446_744_073_709_551_615n;
const workflow: Workflow = { 1: { class_type: 'KSampler', inputs: { seed: large } } };

it('T5 integers beyond 2^53 stay exact from a page to the service and back, also after a restart', async () => {
  const ports = { index: memoryJobIndex(), log: memoryEventLog() };
  const service = playedService();
  const sent: unknown[] = [];
  const { submit } = service;
  Object.assign(service, {
    submit: (...args: Parameters<typeof submit>) => {
      sent.push(args[0]);
      return submit(...args);
    },
  });
  const start = () =>
    createGateway({ ...ports, client: clientOf(service), authorize: () => ({ name: 'ann' }) });
  const first = start();
  const remote = createRemote({
    url: 'http://gateway.test',
    fetch: (url, init) => first.fetch(new Request(url, init)),
  });
  const states = firstValueFrom(remote.run(workflow).pipe(toArray()));
  await expect.poll(() => service.jobs.length).toBe(1);
  const outputs = { 1: { seeds: [large] } } as unknown as JobState['outputs'];
  service.jobs[0]!.move({ ...life('p1').at(-1)!, outputs });
  const last = (await states).at(-1)!;
  expect([last.phase, last.outputs, sent]).toEqual(['completed', outputs, [workflow]]);
  remote.close();
  await first.close();

  await using second = start();
  const ask = async (path: string): Promise<string> =>
    (await second.fetch(new Request(`http://gateway.test${path}`))).text();
  for (const path of ['/jobs', `/jobs/${last.promptId}`, `/api/v2/jobs/${last.promptId}/workflow`])
    expect(await ask(path)).toContain(String(large));
  const again = createRemote({
    url: 'http://gateway.test',
    fetch: (url, init) => second.fetch(new Request(url, init)),
  });
  expect(await firstValueFrom(again.follow(last.promptId).pipe(map(({ outputs: all }) => all)))).toEqual(
    outputs,
  );
  again.close();
});
