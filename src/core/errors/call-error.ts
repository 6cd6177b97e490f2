import { callErrorDefaults, type CallErrorTag } from './call-error-defaults.js';
import type { ServiceErrorOf } from './errors.js';
import { type ServiceErrorInit, taggedError } from './tagged-error.js';

/** Makes what `serviceError` makes, for the tags that a call to a gateway can end with, and without the texts of all others. */
export const callError = <Tag extends CallErrorTag>(
  tag: Tag,
  init: ServiceErrorInit<Tag>,
): ServiceErrorOf<Tag> => taggedError(tag, callErrorDefaults[tag], init);
