/** Declared here because the package's types are for the bare name, which is a deprecated module of Node. */
declare module 'punycode/punycode.es6.js' {
  export function encode(label: string): string;
  export function decode(text: string): string;
}
