import assert from 'node:assert/strict';
import { schemas } from '@comfyorg/sdk/low';

/** How often each schema of the SDK accepted an answer, in this process. */
export const accepted: Record<string, number> = {};

/** Applies the schema of the SDK that belongs to an answer with JSON; throws where it refuses. */
export const judgeAnswer = (method: string, url: string, status: number, body: unknown): void => {
  const { pathname } = new URL(url);
  const call = `${method} ${/\/api\/v2(\/.*)$/u.exec(pathname)?.[1] ?? pathname}`;
  if (status >= 400) {
    judge('error', schemas.zErrorEnvelope, body, `${call} ${status}`);
    return;
  }
  const [, name, schema] = routes.find(([route]) => route.test(call)) ?? [];
  if (name !== undefined && schema !== undefined) judge(name, schema, body, call);
};

/** Applies the schema of an event's data. */
export const judgeEvent = (event: string, data: unknown): void => {
  const [, name, schema] = events.find(([known]) => known === event) ?? [];
  if (name !== undefined && schema !== undefined) judge(name, schema, data, `event ${event}`);
};

interface Schema {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly error?: unknown };
}

const routes: readonly (readonly [route: RegExp, name: string, schema: Schema])[] = [
  [/^POST \/jobs$/u, 'job', schemas.zJob],
  [/^GET \/jobs\/[^/]+$/u, 'job', schemas.zJob],
  [/^POST \/jobs\/[^/]+\/cancel$/u, 'job', schemas.zJob],
  [/^GET \/jobs\/[^/]+\/workflow$/u, 'workflow', schemas.zJobWorkflowResponse],
  [/^POST \/assets(\/from-hash)?$/u, 'asset', schemas.zAsset],
  [/^GET \/assets\/[^/]+$/u, 'asset', schemas.zAsset],
];

const events: readonly (readonly [event: string, name: string, schema: Schema])[] = [
  ['status', 'status event', schemas.zJob.pick({ status: true })],
  ['progress', 'progress event', schemas.zProgress],
  ['output', 'output event', schemas.zOutput],
  ['error', 'error event', schemas.zErrorEnvelope],
];

const judge = (name: string, schema: Schema, body: unknown, what: string): void => {
  const { success, error } = schema.safeParse(body);
  assert.ok(success, `the SDK's schema refuses ${what}: ${String(error)}\n${JSON.stringify(body)}`);
  accepted[name] = (accepted[name] ?? 0) + 1;
};
