import process from 'node:process';
import { createClient as createOnBun } from '../bun.js';
import { createClient as createOnNode } from '../node.js';

/** Makes a client of the runtime that runs the command. Other programs get it by the export conditions of the package. */
export const createClient = 'bun' in process.versions ? createOnBun : createOnNode;
