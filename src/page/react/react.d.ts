/** What the hooks take of React, the same in React 18 and 19: the package compiles without it, and no declaration of an entry names it. */
declare module 'react' {
  export const useMemo: <A>(make: () => A, by: readonly unknown[]) => A;
  export const useSyncExternalStore: <A>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => A,
    getServerSnapshot: () => A,
  ) => A;
}
