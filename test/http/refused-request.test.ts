import { describe, expect, it } from 'vitest';
import { refusedRequest } from '../../src/core/http/refused-request.js';
import type { SubmitRequest, SubmitRequests } from '../../src/core/endpoints/submit-requests.js';

const workflow = { 1: { class_type: 'A', inputs: {} }, 2: { class_type: 'B', inputs: {} } };
const all: readonly SubmitRequest[] = [
  ...(['labels', 'front', 'number', 'targets', 'workflowId', 'previewMethod'] as const),
];
const refused = (asked: SubmitRequests, takes = all) => refusedRequest({ takes }, workflow, asked);
const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('what a submission asks for', () => {
  it.each<readonly [SubmitRequests]>([
    [{}],
    [{ labels: {} }],
    [{ labels: { order: '7' } }],
    [{ front: true }],
    [{ front: false, number: 3 }],
    [{ number: -0.5 }],
    [{ targets: ['1'] }],
    [{ targets: ['2', '1'] }],
    [{ workflowId: id.toUpperCase() }],
    ...(['default', 'none', 'auto', 'latent2rgb', 'taesd'] as const).map(
      (previewMethod) => [{ previewMethod }] as const,
    ),
  ])('can be sent: %j', (asked) => {
    expect(refused(asked)).toBeUndefined();
  });

  it.each<readonly [SubmitRequest, object, string]>([
    ['labels', { labels: { order: 7 } }, 'labels takes texts.'],
    ['labels', { labels: { a: 'b', order: undefined } }, 'labels takes texts.'],
    ['number', { number: NaN }, 'number takes a finite number.'],
    ['number', { number: Infinity }, 'number takes a finite number.'],
    ['number', { number: '3' }, 'number takes a finite number.'],
    ['front', { front: true, number: 3 }, 'front and number say two things of one place.'],
    ['targets', { targets: [] }, 'targets takes one id or more: without any nothing would run.'],
    ['targets', { targets: ['1', '7', 'toString'] }, 'The workflow has no node 7, toString.'],
    ['workflowId', { workflowId: 'x' }, 'workflowId must be a UUID.'],
    ['workflowId', { workflowId: `${id}0` }, 'workflowId must be a UUID.'],
    ['workflowId', { workflowId: `x${id}` }, 'workflowId must be a UUID.'],
    [
      'previewMethod',
      { previewMethod: 'all' },
      'previewMethod takes default, none, auto, latent2rgb, taesd.',
    ],
  ])('is no %s that can be sent: %j', (option, asked, message) => {
    expect(refused(asked as SubmitRequests)).toMatchObject({ _tag: 'InvalidConfig', option, message });
  });

  it.each(all)('is refused where the dialect has no place for it: %s', (name) => {
    const asked = { [name]: undefined, ...{ [name]: name === 'targets' ? ['1'] : 'x' } } as SubmitRequests;
    const others = all.filter((other) => other !== name);
    expect(refused(asked, others)).toMatchObject({
      ...{ _tag: 'NotSupported', message: `A server of this dialect takes no ${name} with a submission.` },
      hint: `Leave ${name} out. Nothing was sent. This dialect takes: ${others.join(', ')}.`,
    });
    expect(refused({ [name]: undefined }, others)).toBeUndefined();
  });
});
