/** Made by the build (web/texts.ts): a fetch of the texts of each language, by part of the screens and tag. */
declare module 'catalogues:list' {
  type Fetch = () => Promise<{ default: import('@lingui/core').Messages }>;
  const catalogues: Readonly<
    Record<'test' | 'candidate' | 'portal', Readonly<Record<string, Fetch | undefined>>>
  >;
  export default catalogues;
}

/** The same for the portal and for languages that nobody speaks. */
declare module 'catalogues:more' {
  export { default } from 'catalogues:list';
}
