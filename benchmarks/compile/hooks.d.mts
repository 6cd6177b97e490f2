/** Finds the source of a module, as a hook of `module.register` does. */
export declare const resolve: <A>(
  specifier: string,
  context: { readonly parentURL?: string },
  next: (specifier: string, context: { readonly parentURL?: string }) => A,
) => A;
