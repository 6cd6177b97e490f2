import { clientOf, playedService } from '../support.js';
import { createGateway } from '../../../src/gateway.js';
import { expect, it, onTestFinished } from 'vitest';

interface Described {
  readonly operationId: string;
  readonly requestBody: { readonly required: boolean; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters: readonly { readonly name: string }[];
}

it('calls are described with what they take and how they are refused', async () => {
  const gateway = createGateway({ client: clientOf(playedService()), authorize: () => ({ name: 'ann' }) });
  onTestFinished(() => gateway.close());
  const document = await gateway.fetch(new Request('http://h/openapi.json'));
  const { paths } = (await document.json()) as {
    readonly paths: Readonly<Record<string, { readonly post: Described }>>;
  };
  const [jobs, template] = [paths['/jobs']!.post, paths['/templates/{name}']!.post];
  expect([jobs.operationId, template.operationId]).toEqual(['submitJob', 'submitTemplate']);
  // A template may need no inputs.
  expect([jobs.requestBody.required, template.requestBody.required]).toEqual([true, false]);
  for (const { requestBody, parameters } of [jobs, template]) {
    expect(Object.keys(requestBody.content)).toEqual(['application/json', 'multipart/form-data']);
    const names = parameters.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(['output', 'on-leave', 'prefer', 'idempotency-key']));
  }
  const refusals = ['400', '402', '406', '413', '422'];
  expect(Object.keys(jobs.responses)).toEqual(expect.arrayContaining(['200', '201', '202', ...refusals]));
  expect(Object.keys(template.responses)).toEqual(expect.arrayContaining(['200', '404', ...refusals]));
});
