import { defaultPlatform, type Platform } from '../../../src/node.js';
import { expect, onTestFinished, vi } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';
import type { Gateway } from '../../../src/gateway.js';

const mark = 'a text that stands nowhere else';
export const largeSeed = '18446744073709551615';

const workflowWith = (seed: string): string =>
  `{"1":{"class_type":"X","inputs":{"text":"${mark}","seed":${seed}}},` +
  '"2":{"class_type":"Y","inputs":{"image":"a.png"},"_meta":{"title":"Load"}}}';

const json = (path: string, seed: string, more = ''): Request =>
  new Request(`http://gateway.test${path}`, {
    ...{ method: 'POST', body: `{"workflow":${workflowWith(seed)}${more}}` },
    headers: { 'content-type': 'application/json' },
  });

/** The ways to submit a workflow with this seed. */
export const submissions: Readonly<Record<string, (seed: string) => Request>> = {
  'API v2': (seed) => json('/api/v2/jobs', seed),
  'a value by name': (seed) => json('/jobs', seed, ',"inputs":{"Load.image":"b.png"}'),
  'a file as base64': (seed) =>
    json('/jobs', seed, ',"inputs":{"Load.image":{"base64":"AAAA","filename":"b.png"}}'),
  'a file in a form': (seed) => {
    const body = new FormData();
    body.set('workflow', workflowWith(seed));
    body.set('Load.image', new Blob([new Uint8Array(4)], { type: 'image/png' }), 'b.png');
    return new Request('http://gateway.test/jobs', { method: 'POST', body });
  },
};

/** A service that takes each job. */
export const takingService = () => {
  let jobs = 0;
  const node = (name: string) => ({
    ...{ name, display_name: name, category: '' },
    input: { required: {} },
    output: [],
    output_node: true,
  });
  const service = fakePlatform(({ method, url }) => {
    if (url.includes('/object_info')) return { body: { X: node('X'), Y: node('Y') } };
    if (url.includes('/upload/')) return { body: { name: 'up.png', subfolder: '', type: 'input' } };
    if (url.endsWith('/queue')) return { body: { queue_running: [], queue_pending: [] } };
    if (method !== 'POST') return { status: 404 };
    const id = `p${(jobs += 1)}`;
    return { body: { prompt_id: id, number: jobs, node_errors: {}, id, status: 'queued' } };
  });
  const platform: Platform = { ...defaultPlatform(), request: service.request };
  /** The submissions that have come. */
  const sent = (): readonly string[] =>
    service.requests.flatMap(({ json }) => (String(json).includes(mark) ? [String(json)] : []));
  return { platform, sent };
};

/** Submits, and gives how often the text of the workflow was read, and how often it was written, until `isDone`. */
export const countedSubmission = async (
  gateway: Pick<Gateway, 'fetch'>,
  request: Request,
  isDone: () => boolean = () => true,
): Promise<{ readonly id: string; readonly counts: readonly [read: number, written: number] }> => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => {
    stringify.mockRestore();
    parse.mockRestore();
  });
  const answer = await gateway.fetch(request);
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.any(String)]);
  await expect.poll(isDone).toBe(true);
  const written = stringify.mock.results.filter(({ value }) => String(value).includes(mark)).length;
  const read = parse.mock.calls.filter(([text]) => text.includes(mark)).length;
  stringify.mockRestore();
  parse.mockRestore();
  const { id } = (await answer.json()) as { readonly id: string };
  return { id, counts: [read, written] };
};
