import * as t from 'io-ts';

/** The codec's value or JSON `null`: the interface sends `null` where it has nothing to say. */
export const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);
