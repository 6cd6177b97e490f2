import { NEVER, type Observable } from 'rxjs';
import { expectTypeOf, it } from 'vitest';
import { progressText } from '../../src/core/operators/progress-text.js';
import type { Frame, TextFrame } from '../../src/core/protocol/frames/frame.js';
import { kindsOfFrames, passesOneKind } from './one-kind-of-frame.js';

passesOneKind('progressText', progressText, kindsOfFrames.text);

it('progressText narrows the type', () => {
  expectTypeOf((NEVER as Observable<Frame>).pipe(progressText())).toEqualTypeOf<Observable<TextFrame>>();
});
