/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- two generic functions are assignable where their conditions are the same */
/** Whether two types are the same, not only assignable to each other. */
export type Equal<One, Other> =
  (<Value>() => Value extends One ? 1 : 2) extends <Value>() => Value extends Other ? 1 : 2 ? true : false;

/** Compiles where what it is given is true. */
export type Expect<True extends true> = True;
