import type { Frame } from '../protocol/frames/frame.js';
import { isFrame } from '../protocol/frames/is-frame.js';
import type { JobState } from '../protocol/state/job-state.js';
import { isServiceError } from '../protocol/errors/service-error.js';

/**
 * Says what a value is in a few words, made of our own vocabulary, numbers and sizes only: nothing that a service, a
 * user or a key could have put into it is repeated.
 */
export const brief = (value: unknown): string => {
  if (typeof value === 'string') return `string of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (isServiceError(value)) return value._tag;
  if (value instanceof Error) return errorName.test(value.name) ? value.name : 'Error';
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (isFrame(value)) return frameBrief(value) + ofJob(value.promptId);
  if (isJobState(value))
    return `JobState ${value.phase} ${Math.round(value.progress * 100)} %${ofJob(value.promptId)}`;
  return 'object';
};

const errorName = /^[A-Z][A-Za-z]{0,30}Error$/;

const mediaType = /^(image|video|audio)\/[a-z0-9-]{1,12}$/;

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

const frameBrief = (frame: Frame): string => {
  switch (frame._tag) {
    case 'Event':
      return `Event ${frame.type}`;
    case 'Preview':
      return `Preview ${mediaType.test(frame.mediaType) ? frame.mediaType : 'image'} ${frame.image.byteLength} B`;
    case 'Text':
      return `Text of ${frame.text.length}`;
    case 'Unknown':
      return frame.kind === 'binary' ? `Unknown binary ${frame.type}` : 'Unknown text';
    case 'Malformed':
      return `Malformed of ${frame.size}`;
  }
};

const ofJob = (promptId: string | undefined): string =>
  promptId !== undefined && uuid.test(promptId) ? ` of ${promptId.slice(0, 8)}` : '';

const isJobState = (value: object): value is JobState =>
  'phase' in value && 'promptId' in value && 'progress' in value && typeof value.progress === 'number';
