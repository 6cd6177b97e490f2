import { describe, expect, it } from 'vitest';
import { aGateway, withJson } from '../v2/a-gateway.js';
import { type Either, left, right } from '../../../src/core/protocol/either.js';
import type { ObjectInfo } from '../../../src/core/endpoints/object-info.js';
import { firstValueFrom, throwError } from 'rxjs';
import { preflightOperation } from '../../../src/server/gateway/routes/preflight-operation.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import { preflight } from '../../../src/client/preflight/preflight.js';
import { realClock } from '../../../src/core/platform/clock.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const aClass = (name: string, required: ObjectInfo[string]['input']['required'], output_node = false) => ({
  ...{ name, input: { required }, output: ['IMAGE'], output_node, category: 'test' },
});
const classes = {
  LoadImage: aClass('LoadImage', { image: [['here.png'], { image_upload: true }] }),
  SaveImage: aClass('SaveImage', { images: ['IMAGE'], filename_prefix: ['STRING', {}] }, true),
  Sampler: aClass('Sampler', { sampler: [['euler', 'ddim']] }, true),
} as unknown as ObjectInfo;

/** A gateway whose client makes its reports as every client does. */
const aCheckedGateway = (answer: Either<ServiceError, ObjectInfo> = right(classes)) => {
  const objectInfo = () => () => Promise.resolve(answer);
  const unknown = () => Promise.resolve(left(serviceError('NotFound', {})));
  return aGateway({
    service: {
      objectInfo,
      preflight: (workflow, options) => () =>
        preflight(
          {
            ask: unknown,
            redactValue: (value) => value,
            rest: { objectInfo, features: () => unknown, nodeReplacements: () => unknown },
            clock: realClock,
          },
          workflow,
          options,
        ),
    },
  });
};

const loading = (image: unknown) => ({
  1: { class_type: 'LoadImage', inputs: { image } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
});

describe('POST /preflight', () => {
  it('names each problem with its node, its input and its fix', async () => {
    const { ask } = aCheckedGateway();
    const workflow = { 7: { class_type: 'Sampler', inputs: { sampler: 'Euler' } } };
    const answer = await ask('POST', '/preflight', withJson({ workflow }));
    expect(answer.json()).toMatchObject({
      verdict: 'refused',
      problems: [{ nodeId: '7', input: 'sampler', type: 'value_not_in_list', fix: 'euler' }],
      workflow,
    });
  });

  it('takes what the editor saves, and gives it converted', async () => {
    const { ask } = aCheckedGateway();
    const node = { id: 7, type: 'Sampler', inputs: [], outputs: [], widgets_values: ['ddim'] };
    const workflow = { version: 0.4, nodes: [node], links: [], last_node_id: 7 };
    expect((await ask('POST', '/preflight', withJson({ workflow }))).json()).toMatchObject({
      verdict: 'accepted',
      workflow: { 7: { class_type: 'Sampler', inputs: { sampler: 'ddim' } } },
    });
  });

  it('tells of a service without node classes what the workflow itself does', async () => {
    const { ask } = aCheckedGateway(left(serviceError('NotSupported', {})));
    const workflow = loading('away.png');
    expect((await ask('POST', '/preflight', withJson({ workflow }))).json()).toMatchObject({
      ...{ verdict: 'unknown', workflow },
      uploads: [{ nodeId: '1', input: 'image', name: 'away.png' }],
    });
  });

  it('lists files to upload, and counts those that the caller has uploaded as there', async () => {
    const { ask } = aCheckedGateway();
    const missing = (await ask('POST', '/preflight', withJson({ workflow: loading('away.png') }))).json();
    expect(missing).toMatchObject({ uploads: [{ nodeId: '1', input: 'image', name: 'away.png' }] });
    const { asset } = (await ask('POST', '/uploads?filename=cat.png', { body: 'abc' })).json();
    const workflow = loading({ __type: 'core/ASSET', info: asset });
    const report = (await ask('POST', '/preflight', withJson({ workflow }))).json();
    expect(report).toMatchObject({ verdict: 'accepted', problems: [], uploads: [], workflow });
    const init = withJson({ workflow }, { authorization: 'another' });
    expect((await ask('POST', '/preflight', init)).json()).toMatchObject({
      status: 422,
      code: 'missing_asset',
    });
  });

  it.each([
    ['no workflow', {}],
    ['a text', { workflow: 'graph' }],
    ['no nodes', { workflow: {} }],
    ['more than a workflow', { workflow: loading('here.png'), metadata: {} }],
    ['no object', []],
  ])('refuses %s', async (_, body) => {
    const refused = await aCheckedGateway().ask('POST', '/preflight', withJson(body));
    expect(refused.json()).toMatchObject({ status: 422, code: 'validation_error' });
  });

  it('says that the service does not answer', async () => {
    const { ask } = aCheckedGateway(left(serviceError('Timeout', { timeoutMs: 1, sent: true })));
    const refused = await ask('POST', '/preflight', withJson({ workflow: loading('here.png') }));
    expect(refused.json()).toMatchObject({ status: 503, code: 'upstream_unreachable' });
  });

  it('says so where its node classes alone are not to be had, as a report without them would say less', async () => {
    let reports = 0;
    const away = serviceError('Timeout', { timeoutMs: 1, sent: true });
    const operation = preflightOperation({
      clock: virtualClock(),
      assets: {
        prepare: (_, workflow) => Promise.resolve(right({ workflow, client: undefined, files: [] })),
      },
      service: {
        preflight: () => () => {
          reports += 1;
          return Promise.resolve(left(away));
        },
      },
      definitions: () => firstValueFrom(throwError(() => away)),
    });
    const workflow = loading('here.png');
    const call = {
      ...{ json: () => Promise.resolve({ workflow }), caller: { name: 'ann' } },
      request: new Request('http://h/'),
    } as unknown as RouteCall;
    expect([await operation(call), reports]).toMatchObject([
      { status: 503, code: 'upstream_unreachable' },
      0,
    ]);
  });

  it('tells the check of the workflow which files the caller has uploaded, and of no others', async () => {
    const known: unknown[] = [];
    const away = serviceError('Timeout', { timeoutMs: 1, sent: true });
    const operation = preflightOperation({
      clock: virtualClock(),
      assets: {
        prepare: () => Promise.resolve(right({ workflow: loading('u.png'), client: undefined, files: [] })),
      },
      service: {
        preflight: (_, options) => () => {
          const files = options?.files as (name: string) => unknown;
          known.push(files('u.png'), files('other.png'));
          return Promise.resolve(left(away));
        },
      },
      definitions: undefined,
    });
    const workflow = loading({ __type: 'core/ASSET', info: { id: 'u' } });
    const call = {
      ...{ json: () => Promise.resolve({ workflow }), caller: { name: 'ann' } },
      request: new Request('http://h/'),
    } as unknown as RouteCall;
    expect([await operation(call), known]).toMatchObject([{ status: 503 }, [0, undefined]]);
  });
});
