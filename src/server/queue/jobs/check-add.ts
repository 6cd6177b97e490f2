import type { AddOptions } from './job-queue.js';
import * as E from '../../../core/protocol/either.js';
import { checkedEphemeral } from '../../../workflow/edit/checked-ephemeral.js';
import { isDeeperThan } from '../../../core/protocol/json/is-deeper-than.js';
import { isWellFormed } from '../../../core/protocol/path-part.js';
import { maxLevels } from '../../../core/protocol/json/json-meter.js';
import type { QueueKind } from '../store/queue-kind.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/**
 * Throws `InvalidConfig` for what the store could not keep or find again, and `NotSupported` for an ephemeral job that would leave files, before
 * anything of the job is written.
 */
export const checkAdd = (workflow: Workflow, options: AddOptions, kind: QueueKind): void => {
  const { id, key, tenant, priority, delayMs, extraData, tags } = options;
  for (const [option, text] of Object.entries({ id, key, tenant })) {
    if (
      text !== undefined &&
      !(typeof text === 'string' && isWellFormed(text) && text.length <= maxCharacters)
    )
      throw unfit(option, `a text of at most ${maxCharacters} characters, without half of a surrogate pair`);
  }
  checkTags(tags, kind);
  if (id === '') throw unfit('id', 'a text that is not empty');
  if (priority !== undefined && !Number.isFinite(priority)) throw unfit('priority', 'a finite number');
  if (delayMs !== undefined && !(delayMs >= 0 && delayMs <= longestDelayMs))
    throw unfit('delayMs', `a number of milliseconds from 0 to ${longestDelayMs}`);
  for (const [option, value] of Object.entries({ workflow, extraData })) {
    if (isDeeperThan(value, maxLevels)) throw unfit(option, `nested ${maxLevels} levels deep at most`);
  }
  if (options.ephemeral === true) checkEphemeral(workflow);
};

const checkEphemeral = (workflow: Workflow): void => {
  const made = checkedEphemeral(workflow);
  if (E.isLeft(made)) throw made.left;
};

const checkTags = (tags: AddOptions['tags'], kind: QueueKind): void => {
  if (tags === undefined) return;
  if (kind === 'account') throw noTags();
  if (!isTexts(tags))
    throw unfit('tags', `a list of at most ${maxTags} texts of at most 100 characters each`);
};

const maxTags = 20;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= maxTags &&
  value.every((tag) => typeof tag === 'string' && isWellFormed(tag) && tag.length <= 100);

const noTags = (): Error =>
  serviceError('InvalidConfig', {
    option: 'tags',
    message: 'tags name servers, and this queue is over an account.',
    hint: "Leave them out, or use a queue over servers (over: 'servers').",
  });

const maxCharacters = 1_000;

/** A hundred years. */
const longestDelayMs = 100 * 365 * 24 * 3600 * 1000;

const unfit = (option: string, what: string): Error =>
  serviceError('InvalidConfig', { option, message: `The ${option} of a job is ${what}.` });
