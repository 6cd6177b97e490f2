// React is an optional peer: where it is not installed, nothing but this entry asks for it.
const loaded = await import('promptwire/react').then(
  () => 'loaded',
  ({ code, message }) => `${code} ${message}`,
);
console.log(loaded);
