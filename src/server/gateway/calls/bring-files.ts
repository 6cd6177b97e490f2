import type { AddressContext } from './file-of-address.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { fileOf, maxFiles } from './input-file.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { RouteCall } from '../http/route.js';
import type { RouteContext } from '../v2/context.js';

/** Stores the files among the values of inputs, and puts references to them in their place. */
export const bringFiles = async (
  { assets, ...addresses }: Pick<RouteContext, 'assets'> & AddressContext,
  call: RouteCall,
  inputs: Readonly<Record<string, unknown>>,
): Promise<Either<Refusal, Readonly<Record<string, unknown>>>> => {
  const brought: (readonly [name: string, value: unknown])[] = [];
  let files = 0;
  for (const [name, value] of Object.entries(inputs)) {
    const file = await fileOf(call, value, addresses);
    if (isLeft(file)) return file;
    if (file.right === undefined) brought.push([name, value]);
    else {
      if ((files += 1) > maxFiles) return left(tooMany);
      const { content, filename } = file.right;
      const stored = await assets.store(call.caller, content, {
        ...{ filePath: filename, contentType: undefined, expectedHash: undefined, expiresInMs: undefined },
      });
      if (isLeft(stored)) return stored;
      brought.push([name, { __type: 'core/ASSET', info: { id: stored.right.record.id } }]);
    }
  }
  return right(Object.fromEntries(brought));
};

const tooMany = refusal(422, 'invalid_inputs', `A call may bring ${maxFiles} files.`);
