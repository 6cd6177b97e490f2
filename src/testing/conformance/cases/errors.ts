import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { signedUrl, savedPicture } from '../files.js';
import { endJobs, submit } from '../jobs.js';
import { pictureRun } from '../recordings.js';
import { filledText, list, object, texts } from '../shape.js';
import type { Billing, Target } from '../target.js';

/** Chapter 3: errors. */
export const errorCases: readonly ConformanceCase[] = [
  {
    id: '3.1',
    title: 'errors are an object with code and message',
    run: async (target) => {
      assertPlainError(await api(target, 'GET', '/api/user', { key: null }));
      assertPlainError(await expectStatus(404, target, 'GET', `/api/job/${randomUUID()}/status`));
      assertPlainError(
        await expectStatus(404, target, 'GET', '/api/view', { query: { filename: 'no.png' } }),
      );
    },
  },
  {
    id: '3.2',
    title: 'a refused workflow is answered with error and node_errors',
    run: async (target) => {
      const answer = await api(target, 'POST', '/api/prompt', { body: { prompt: 'no workflow' } });
      assertPromptError(answer);
      object(object(answer.json(), 'the answer')['node_errors'], 'node_errors');
    },
  },
  {
    id: '3.3',
    rows: ['status:400'],
    title: '400 for a wrong request',
    run: async (target) => {
      await expectStatus(400, target, 'GET', '/api/view');
      await expectStatus(400, target, 'POST', '/api/prompt', { body: { prompt: [] } });
    },
  },
  {
    id: '3.4',
    rows: ['status:401'],
    title: '401 for a missing or unknown key',
    run: async (target) => {
      for (const key of [null, 'nobody']) {
        assertPlainError(await expectStatus(401, target, 'GET', '/api/object_info', { key }));
      }
    },
  },
  {
    id: '3.5',
    rows: ['status:402'],
    needs: ['billing'],
    title: '402 without credits',
    run: (target) =>
      withBilling(target, 'no credits', async () => {
        assertPromptError(await submitOnce(target, 402));
      }),
  },
  {
    id: '3.6',
    rows: ['status:429'],
    needs: ['billing'],
    title: '429 (2026: 402) without a subscription',
    run: (target) =>
      withBilling(target, 'inactive', async () => {
        await submitOnce(target, target.profile === 'interface' ? 429 : 402);
      }),
  },
  {
    id: '3.7',
    rows: ['status:500'],
    needs: ['crash'],
    title: '500 when the service fails',
    run: async (target) => {
      const answer = await target.crash?.(target);
      assert.equal(answer?.status, 500);
      object(answer.json(), 'the error');
    },
  },
  {
    id: '3.8',
    rows: ['status:402', 'status:429'],
    needs: ['billing'],
    title: 'a refusal for money has a type and leaves no job',
    run: async (target) => {
      const before = await jobsOf(target);
      for (const billing of ['no credits', 'inactive'] as const) {
        await withBilling(target, billing, async () => {
          const answer = await api(target, 'POST', '/api/prompt', {
            body: { prompt: target.workflows.picture() },
          });
          assert.ok(answer.status === 402 || answer.status === 429, `it answers ${answer.status}`);
          assertPromptError(answer);
        });
      }
      assert.deepEqual(await jobsOf(target), before);
    },
  },
  {
    id: '3.9',
    rows: ['status:429'],
    needs: ['smallQueue'],
    title: '429 QUEUE_LIMIT for a full queue',
    run: async (target) => {
      await using small = await target.smallQueue?.();
      assert.ok(small !== undefined);
      const promptIds: string[] = [];
      try {
        const answer = await fillQueue(small, small.queueLimit, promptIds);
        assert.equal(answer.status, 429);
        const error = object(object(answer.json(), 'the answer')['error'], 'error');
        assert.equal(error['type'], 'QUEUE_LIMIT');
        filledText(error['message'], 'error.message');
      } finally {
        await endJobs(small, promptIds);
      }
    },
  },
  {
    id: '3.10',
    needs: ['strangerKey'],
    title: '404 for what belongs to another user',
    run: async (target) => {
      const { promptId } = await pictureRun(target);
      const file = await savedPicture(target);
      await signedUrl(target, file);
      const key = target.strangerKey ?? '';
      await expectStatus(404, target, 'GET', `/api/job/${promptId}/status`, { key });
      await expectStatus(404, target, 'GET', `/api/history_v2/${promptId}`, { key });
      await expectStatus(404, target, 'GET', '/api/view', { key, query: { ...file } });
    },
  },
  {
    id: '3.11',
    profiles: ['2026-11'],
    needs: ['forbid'],
    title: '403 for a credential or a workspace has a word, and one of two shapes',
    run: async (target) => {
      for (const reason of forbiddenReasons) {
        target.forbid?.(reason);
        try {
          const answer = await expectStatus(403, target, 'GET', '/api/queue');
          const body = object(answer.json(), 'the refusal');
          const isOfKind = reason === 'auth_type_not_allowed';
          if (isOfKind) assertPromptError(answer);
          else assertPlainError(answer);
          assert.equal(isOfKind ? object(body['error'], 'error')['type'] : body['code'], reason);
          if (isOfKind) texts(body['accepted'], 'accepted');
        } finally {
          target.forbid?.(undefined);
        }
      }
    },
  },
];

const forbiddenReasons = [
  ...(['FORBIDDEN', 'workspace_access_denied', 'no_workspace_access', 'sso_required'] as const),
  'auth_type_not_allowed',
] as const;

const withBilling = async (target: Target, billing: Billing, use: () => Promise<void>): Promise<void> => {
  target.billing?.(billing);
  try {
    await use();
  } finally {
    target.billing?.('active');
  }
};

const submitOnce = (target: Target, status: number): Promise<Answer> =>
  expectStatus(status, target, 'POST', '/api/prompt', { body: { prompt: target.workflows.picture() } });

/** Submits until one is refused; at most what may run and wait, and one more. */
const fillQueue = async (target: Target, limit: number, promptIds: string[]): Promise<Answer> => {
  const prompt = target.workflows.long();
  for (let job = 0; job < limit + ROOM; job += 1) {
    const answer = await api(target, 'POST', '/api/prompt', { body: { prompt } });
    if (answer.status !== 200) return answer;
    promptIds.push(filledText(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id'));
  }
  await submit(target, prompt);
  return assert.fail('the queue gets full');
};

/** More than any tier runs at once. */
const ROOM = 6;

const jobsOf = async (target: Target): Promise<readonly unknown[]> => {
  const queue = object((await expectStatus(200, target, 'GET', '/api/queue')).json(), 'the queue');
  return [...list(queue['queue_running'], 'running'), ...list(queue['queue_pending'], 'pending')];
};

const assertPlainError = (answer: Answer): void => {
  const error = object(answer.json(), 'the error');
  filledText(error['code'], 'code');
  filledText(error['message'], 'message');
};

const assertPromptError = (answer: Answer): void => {
  const error = object(object(answer.json(), 'the answer')['error'], 'error');
  filledText(error['type'], 'error.type');
  filledText(error['message'], 'error.message');
};
