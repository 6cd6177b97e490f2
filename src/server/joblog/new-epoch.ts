import { uuid } from '../../core/platform/uuid.js';

/** A name that no other log has: 48 random bits. */
export const newEpoch = (): string => uuid().replaceAll('-', '').slice(0, 12);
