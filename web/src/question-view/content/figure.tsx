import type { Image } from '@invigil/core/content/content-nodes';
import { type ImageWidth, imageHash, imageWidth } from '@invigil/core/content/parse-content';
import { t } from '@invigil/core/texts/i18n';
import { useContext, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Region } from '../../ui/region.tsx';
import { ImageSource } from './image-source.ts';

/** An image of a text, as the elements below show it. */
export interface Picture {
  hash: string;
  alt: string;
  caption: string | null;
  width: ImageWidth | null;
}

export const pictureOf = ({ url, alt, title }: Pick<Image, 'url' | 'alt' | 'title'>): Picture => ({
  hash: imageHash(url) ?? '',
  alt,
  caption: title,
  width: imageWidth(url),
});

/** Counted in em, not percent: a line may be as wide as what is in it. */
const WIDTHS: Record<ImageWidth, string> = {
  25: 'w-[11em]',
  50: 'w-[22em]',
  75: 'w-[33em]',
  100: 'w-[44em]',
};

/** The classes of an image of its own line, or one inside of a line. */
export const imageSize = (width: ImageWidth | null, isAlone: boolean): string => {
  if (width !== null) return WIDTHS[width] + (isAlone ? '' : ' align-middle');
  return isAlone ? 'max-h-[min(24rem,60dvh)]' : 'max-h-[8em] align-middle';
};

/** An image alone in its paragraph, with its caption. */
export function Figure(picture: Picture) {
  return (
    <figure className="my-3 first:mt-0 last:mb-0">
      <ZoomableImage {...picture} className={imageSize(picture.width, true)} />
      {picture.caption !== null && (
        <figcaption className="mt-1.5 text-sm font-normal text-ink-2">{picture.caption}</figcaption>
      )}
    </figure>
  );
}

const anImage = (): string =>
  t(/* in place of an image without a description */ 'content.anImage', 'An image');

/** An image that opens in a dialog: figures are small on a phone. Its description until it is here. */
export function ZoomableImage(props: Picture & { className: string }) {
  return (
    <Region name="An image" fallback={() => <span>{props.alt}</span>}>
      <OpeningImage {...props} />
    </Region>
  );
}

function OpeningImage({ className, ...picture }: Picture & { className: string }) {
  const [isOpen, setOpen] = useState(false);
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming');
  const [tries, setTries] = useState(1);
  const { alt, caption } = picture;
  return (
    <>
      {state !== 'here' && (
        <span className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-sunken px-3 py-2 align-middle text-sm text-ink-2">
          {alt === ''
            ? anImage()
            : t(
                /* in place of an image; its description */ 'content.imageOf',
                'Image: {description}',
                { description: alt },
              )}
          {state === 'failed' && (
            <Button
              size="dense"
              onClick={() => {
                setState('coming');
                setTries(tries + 1);
              }}
            >
              {t(
                /* a button: an image that could not be loaded */ 'content.loadAgain',
                'Load again',
              )}
            </Button>
          )}
        </span>
      )}
      {state !== 'failed' && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={
            alt === ''
              ? t('content.enlarge', 'Enlarge image')
              : t(
                  /* its description before what the button does */ 'content.enlargeOf',
                  '{description}. Enlarge image',
                  { description: alt },
                )
          }
          onClick={() => setOpen(true)}
          className={`max-w-full cursor-zoom-in rounded-md align-middle ${state === 'here' ? 'inline-block' : 'sr-only'}`}
        >
          <PlainImage
            key={tries}
            {...picture}
            className={className}
            onLoad={() => setState('here')}
            onError={() => setState('failed')}
          />
        </button>
      )}
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        size="wide"
        title={caption ?? t(/* title of a dialog with an image */ 'content.image', 'Image')}
        {...(alt === '' ? {} : { description: alt })}
      >
        {/* On a phone as large as it is: the dialog has no more width than the page. */}
        <div className="overflow-auto">
          <PlainImage
            {...picture}
            className="mx-auto w-full object-contain max-sm:w-auto max-sm:max-w-none! max-sm:min-w-full"
          />
        </div>
      </Dialog>
    </>
  );
}

/** How long after each failure an image is loaded again, milliseconds. */
const AGAIN_MS = [2_000, 8_000, 20_000];

/** An image inside a control, where no button can load it again. Its description until it is here. */
export function InlineImage(props: Picture & { className: string }) {
  const [failures, setFailures] = useState(0);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const pause = AGAIN_MS[failures - 1];
    if (!isFailed || pause === undefined) return;
    const timer = setTimeout(() => setFailed(false), pause);
    return () => clearTimeout(timer);
  }, [isFailed, failures]);
  return isFailed ? (
    <span>{props.alt === '' ? anImage() : props.alt}</span>
  ) : (
    <PlainImage
      {...props}
      onError={() => {
        setFailures(failures + 1);
        setFailed(true);
      }}
    />
  );
}

/** White behind it in both themes: most figures are dark lines on nothing. */
function PlainImage({
  hash,
  alt,
  className,
  caption: _,
  width: __,
  ...on
}: Picture & { className: string; onLoad?(): void; onError?(): void }) {
  const addressOf = useContext(ImageSource);
  return (
    <img
      src={addressOf(hash)}
      alt={alt}
      loading="eager"
      {...on}
      className={`inline-block h-auto max-w-full rounded-md bg-figure ${className}`}
    />
  );
}
