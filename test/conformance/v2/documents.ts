import assert from 'node:assert/strict';
import {
  count,
  filledText,
  instant,
  list,
  number,
  object,
  text,
} from '../../../src/testing/conformance/shape.js';

type Doc = Readonly<Record<string, unknown>>;

/** The statuses of 12.5. */
export const statuses = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'];

/** Checks a Job by the table of 12.5; its outputs, progress and error as well. */
export const expectJob = (value: unknown): Doc => {
  const job = object(value, 'the job');
  has(job, 'the job', [
    ...['id', 'status', 'created_at', 'started_at', 'completed_at', 'expires_at', 'queue_position'],
    ...['progress', 'outputs', 'error', 'urls'],
  ]);
  filledText(job['id'], 'id');
  assert.ok(statuses.includes(text(job['status'], 'status')), `a status of 12.5: ${String(job['status'])}`);
  for (const name of ['created_at', 'expires_at']) instant(job[name], name);
  for (const name of ['started_at', 'completed_at']) if (job[name] !== null) instant(job[name], name);
  if (job['queue_position'] !== null) count(job['queue_position'], 'queue_position');
  if (job['progress'] !== null) expectProgress(job['progress']);
  for (const output of list(job['outputs'], 'outputs')) expectOutput(output);
  if (job['error'] !== null) {
    const error = object(job['error'], 'error');
    for (const name of ['code', 'message']) filledText(error[name], name);
  }
  const urls = object(job['urls'], 'urls');
  for (const name of ['self', 'events', 'cancel']) text(urls[name], name);
  return job;
};

/** Checks a Progress. */
export const expectProgress = (value: unknown): Doc => {
  const progress = object(value, 'progress');
  const done = number(progress['value'], 'value');
  assert.ok(done >= 0 && done <= 1, `value is within 0 and 1: ${done}`);
  for (const name of ['nodes_done', 'nodes_total']) count(progress[name], name);
  return progress;
};

/** Checks an Output. */
export const expectOutput = (value: unknown): Doc => {
  const output = object(value, 'an output');
  for (const name of ['node_id', 'name', 'type', 'content_type', 'id']) filledText(output[name], name);
  expectFile(output);
  return output;
};

/** Checks an Asset. */
export const expectAsset = (value: unknown): Doc => {
  const asset = object(value, 'an asset');
  for (const name of ['id', 'content_type']) filledText(asset[name], name);
  instant(asset['created_at'], 'created_at');
  expectFile(asset);
  return asset;
};

const expectFile = (file: Doc): void => {
  has(file, 'a file', ['hash', 'size_bytes', 'url', 'url_expires_at']);
  count(file['size_bytes'], 'size_bytes');
  if (file['hash'] !== null) assert.match(text(file['hash'], 'hash'), /^blake3:[0-9a-f]{64}$/u);
  assert.ok(URL.canParse(text(file['url'], 'url')), `url is absolute: ${String(file['url'])}`);
  instant(file['url_expires_at'], 'url_expires_at');
};

const has = (value: Doc, place: string, names: readonly string[]): void => {
  for (const name of names) assert.ok(name in value, `${place} has ${name}`);
};
