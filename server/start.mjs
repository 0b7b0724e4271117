// Plain JavaScript that Node 20 can parse: the sources are TypeScript and need Node 24, which
// `npm ci` brings and `npm start` puts first in the PATH.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Invigil needs Node 24 and this is ${process.version}. "npm ci" brings the right one: start with "npm start".`,
  );
  process.exit(1);
}
await import(process.argv.includes('--verify-audit') ? './src/verify-audit.ts' : './src/main.ts');
