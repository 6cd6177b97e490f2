import assert from 'node:assert/strict';
import { count, filledText, instant, list, number, object, text } from '../shape.js';
import type { Doc } from './v2-api.js';

/** The statuses of section 12.5; the last four are final. */
export const statuses = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'];
export const finalStatuses = statuses.slice(3);

/** Checks the members of a Job by the table of section 12.5. */
export const expectJob = (value: unknown): Doc => {
  const job = object(value, 'the job');
  const names = ['started_at', 'completed_at', 'queue_position', 'progress', 'error'];
  for (const name of names) assert.ok(name in job, `the job has ${name}`);
  filledText(job['id'], 'id');
  assert.ok(statuses.includes(text(job['status'], 'status')), `a status, not ${String(job['status'])}`);
  for (const name of ['created_at', 'expires_at']) instant(job[name], name);
  for (const output of list(job['outputs'], 'outputs')) expectOutput(output);
  const urls = object(job['urls'], 'urls');
  for (const name of ['self', 'events', 'cancel']) filledText(urls[name], name);
  return job;
};

/** Checks the members of a Progress. */
export const expectProgress = (value: unknown): void => {
  const progress = object(value, 'progress');
  const done = number(progress['value'], 'value');
  assert.ok(done >= 0 && done <= 1, `value is within 0 and 1: ${done}`);
  for (const name of ['nodes_done', 'nodes_total']) count(progress[name], name);
};

/** Checks the members of an Output. */
export const expectOutput = (value: unknown): Doc => {
  const output = object(value, 'an output');
  for (const name of ['node_id', 'name', 'type']) filledText(output[name], name);
  return expectFile(output);
};

/** Checks the members of an Asset. */
export const expectAsset = (value: unknown): Doc => {
  const asset = object(value, 'an asset');
  instant(asset['created_at'], 'created_at');
  return expectFile(asset);
};

const expectFile = (file: Doc): Doc => {
  for (const name of ['id', 'content_type', 'url']) filledText(file[name], name);
  count(file['size_bytes'], 'size_bytes');
  if (file['hash'] !== null) assert.match(text(file['hash'], 'hash'), /^blake3:[0-9a-f]{64}$/u);
  assert.ok('url_expires_at' in file, 'it has url_expires_at');
  return file;
};
