import { NEVER, type Observable } from 'rxjs';
import { expectTypeOf, it } from 'vitest';
import { previews } from '../../src/core/operators/previews.js';
import type { Frame, Preview } from '../../src/core/protocol/frames/frame.js';
import { kindsOfFrames, passesOneKind } from './one-kind-of-frame.js';

passesOneKind('previews', previews, kindsOfFrames.preview);

it('previews narrows the type', () => {
  expectTypeOf((NEVER as Observable<Frame>).pipe(previews())).toEqualTypeOf<Observable<Preview>>();
});
