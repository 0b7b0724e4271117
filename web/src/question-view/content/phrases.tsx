import type { Phrase } from '@invigil/core/content/content-nodes';
import { imageHash } from '@invigil/core/content/parse-content';
import { PlainImage, ZoomableImage } from './figure.tsx';
import { Formula } from './formula.tsx';

/** `none`: inside a control, so neither links nor buttons. */
export type Links = 'shown' | 'open' | 'none';

export const CODE = 'rounded-sm bg-fill px-1 font-mono text-[0.9em] break-words text-ink';

export function Phrases({ of: phrases, links }: { of: readonly Phrase[]; links: Links }) {
  return phrases.map((phrase, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its parts never move
    <PhraseOf key={index} phrase={phrase} links={links} />
  ));
}

function PhraseOf({ phrase, links }: { phrase: Phrase; links: Links }) {
  switch (phrase.type) {
    case 'text':
      return phrase.value;
    case 'break':
      return <br />;
    case 'emphasis':
      return (
        <em>
          <Phrases of={phrase.children} links={links} />
        </em>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Phrases of={phrase.children} links={links} />
        </strong>
      );
    case 'inlineCode':
      return <code className={CODE}>{phrase.value}</code>;
    case 'inlineMath':
      return <Formula tex={phrase.value} display={false} isInControl={links === 'none'} />;
    case 'link':
      return <LinkOf link={phrase} links={links} />;
    case 'image': {
      const picture = { hash: imageHash(phrase.url) ?? '', alt: phrase.alt, caption: phrase.title };
      const className = 'max-h-[8em] align-middle';
      return links === 'none' ? (
        <PlainImage {...picture} className={className} />
      ) : (
        <ZoomableImage {...picture} className={className} />
      );
    }
  }
}

function LinkOf({ link, links }: { link: Phrase & { type: 'link' }; links: Links }) {
  const label = <Phrases of={link.children} links="none" />;
  if (links === 'open') {
    return (
      <a href={link.url} target="_blank" rel="noreferrer" className="text-accent-ink underline">
        {label}
      </a>
    );
  }
  const [only] = link.children;
  const isAddress =
    link.children.length === 1 && only?.type === 'text' && link.url.endsWith(only.value);
  return (
    <>
      {label}
      {!isAddress && <span className="text-ink-2">{` (${link.url})`}</span>}
    </>
  );
}
