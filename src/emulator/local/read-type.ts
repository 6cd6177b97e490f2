import type { FileDescriptor } from '../engine/node-class.js';
import { ServerTrouble } from './server-trouble.js';

/** One of the three folders; another word is {@link ServerTrouble}. */
export const readType = (type: string): FileDescriptor['type'] => {
  if (type === 'input' || type === 'temp' || type === 'output') return type;
  throw new ServerTrouble(`${type} is no folder`);
};
