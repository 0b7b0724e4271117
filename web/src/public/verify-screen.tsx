import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { readLogo } from '@invigil/core/contract/installation/institution';
import {
  type CertificateState,
  getCertificate,
  printCertificate,
} from '@invigil/core/contract/review/certificates';
import { certifiedText } from '@invigil/core/texts/certificate';
import { t } from '@invigil/core/texts/i18n';
import { Check, CircleHelp, Download, TriangleAlert } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { callEndpoint, callForFile, hasCode, inTime, sentenceOf, urlOf } from '../net/api.ts';
import { saveResponse } from '../net/file-download.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PublicPage } from '../ui/public-page.tsx';

type Checked = ResponseOf<typeof getCertificate>;

/** The problem with the number that was sent. */
type Problem = { kind: 'unknown' } | { kind: 'failed'; sentence: string };

/** Each X is a letter or a digit. */
const NUMBER_FORM = 'XXXXX-XXXXX-XXXXX';

/** /verify: anyone can check a certificate here by its number, without a session. */
export function VerifyScreen() {
  const field = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const [found, setFound] = useState<Checked | Problem | null>(null);
  const [busy, setBusy] = useState(false);

  const check = useCallback(async (number: string) => {
    setFound(null);
    setMissing(number.trim() === '');
    if (number.trim() === '') return field.current?.focus();
    setBusy(true);
    try {
      setFound(await callEndpoint(getCertificate, { params: { number }, signal: inTime() }));
    } catch (error) {
      const isUnknown = hasCode(error, 'NOT_FOUND');
      setFound(isUnknown ? { kind: 'unknown' } : { kind: 'failed', sentence: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
  }, []);
  // The QR code of a certificate leads here with its number, which no server log sees.
  useEffect(() => {
    const read = () => {
      const number = decodeURIComponent(location.hash.slice(1));
      if (number === '') return;
      if (field.current !== null) field.current.value = number;
      void check(number);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [check]);

  const checked = found !== null && 'certificate' in found ? found : null;
  return (
    <PublicPage
      title={t(/* heading of a page */ 'certificateCheck.title', 'Check a certificate')}
      lead={t(
        'certificateCheck.lead',
        'Every certificate has a number and a code to scan. Here anyone can see what it says, and whether it still counts.',
      )}
    >
      <form
        noValidate
        className="grid gap-4 print:hidden"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void check(field.current?.value ?? '');
        }}
      >
        <TextField
          ref={field}
          label={t('certificate.number', 'Certificate number')}
          name="number"
          size="candidate"
          required
          spellCheck={false}
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={40}
          placeholder={NUMBER_FORM}
          error={
            missing
              ? t('certificateCheck.missing', 'Enter the number of the certificate')
              : undefined
          }
          inputClassName="code"
        />
        <div>
          <Button
            variant="primary"
            size="candidate"
            type="submit"
            busy={
              busy &&
              t(
                /* the button while the certificate is being checked */ 'certificateCheck.checking',
                'Checking…',
              )
            }
          >
            {t(/* a button */ 'certificateCheck.check', 'Check certificate')}
          </Button>
        </div>
      </form>
      <div role="status" className={checked?.state === 'valid' ? 'print:hidden' : ''}>
        {checked !== null && <StateNotice state={checked.state} />}
        {found !== null && 'kind' in found && (
          <Notice
            tone="bad"
            icon={<TriangleAlert />}
            title={
              found.kind === 'unknown'
                ? t('certificateCheck.unknown', 'No certificate has this number.')
                : t('certificateCheck.failed', 'The certificate could not be checked.')
            }
          >
            {found.kind === 'unknown'
              ? t(
                  /* it: the number. One: a certificate */ 'certificateCheck.unknownAdvice',
                  'Compare it with the certificate. One whose data was deleted can no longer be checked.',
                )
              : found.sentence}
          </Notice>
        )}
      </div>
      {checked !== null && <Sheet {...checked} />}
    </PublicPage>
  );
}

const STATES: Record<CertificateState, () => Parameters<typeof Notice>[0]> = {
  valid: () => ({
    tone: 'ok',
    icon: <Check />,
    title: t('certificateCheck.valid', 'This certificate is valid.'),
    children: t(
      /* the certificate follows */ 'certificateCheck.validMeaning',
      'It was issued here. What it says must be exactly this:',
    ),
  }),
  under_correction: () => ({
    tone: 'warn',
    icon: <CircleHelp />,
    title: t('certificateCheck.underCorrection', 'This certificate is under correction.'),
    children: t(
      /* the certificate follows */ 'certificateCheck.underCorrectionMeaning',
      'It was issued here. The result behind it is being corrected, and the certificate counts again, or is replaced or revoked, once that is done. It said:',
    ),
  }),
  replaced: () => ({
    tone: 'warn',
    icon: <CircleHelp />,
    title: t('certificateCheck.replaced', 'This certificate was replaced.'),
    children: t(
      /* the certificate follows */ 'certificateCheck.replacedMeaning',
      'The result was corrected, or the certificate was issued again. Ask its holder for the current one. This one said:',
    ),
  }),
  revoked: () => ({
    tone: 'bad',
    icon: <TriangleAlert />,
    title: t('certificateCheck.revoked', 'This certificate was revoked.'),
    children: t(
      /* the certificate follows */ 'certificateCheck.revokedMeaning',
      'It was issued here and no longer counts. It said:',
    ),
  }),
  altered: () => ({
    tone: 'bad',
    icon: <TriangleAlert />,
    title: t('certificateCheck.altered', 'This certificate cannot be confirmed.'),
    children: t(
      'certificateCheck.alteredMeaning',
      'What is stored is not what was issued. Ask the institution that it names.',
    ),
  }),
};

const StateNotice = ({ state }: { state: CertificateState }) => <Notice {...STATES[state]()} />;

/** The certificate as its PDF has it. */
function Sheet({ state, certificate, hasLogo }: Checked) {
  const { number, name, title, institution } = certificate;
  const [failed, setFailed] = useState<string | null>(null);
  const download = async () => {
    setFailed(null);
    try {
      const file = await callForFile(printCertificate, { params: { number } });
      await saveResponse(file, `certificate_${number}.pdf`);
    } catch (error) {
      setFailed(sentenceOf(error));
    }
  };
  return (
    <>
      <article
        aria-label={t('certificate.certificate', 'Certificate')}
        className="grid grid-cols-[minmax(0,1fr)] gap-8 rounded-lg border border-line border-s-6 border-s-accent bg-surface px-5 py-6 md:px-8 md:py-8 print:border-y-0 print:border-e-0"
      >
        {(hasLogo || institution !== null) && (
          <div className="flex flex-wrap items-center gap-4">
            {hasLogo && (
              <img
                src={urlOf(readLogo)}
                alt=""
                className="h-14 max-w-full rounded-sm bg-white object-contain"
              />
            )}
            {institution !== null && (
              <p dir="auto" className="font-semibold wrap-anywhere">
                {institution}
              </p>
            )}
          </div>
        )}
        <div className="grid gap-2">
          <p className="text-xs font-semibold tracking-[0.14em] text-accent-ink uppercase">
            {t('certificate.certificate', 'Certificate')}
          </p>
          <h2 className="text-2xl wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          <p className="text-ink-2">
            {t(
              /* on a certificate: the line between the name of a person and the title of the assessment */ 'certificate.hasPassed',
              'has passed the assessment',
            )}
          </p>
          <p className="text-lg font-semibold wrap-anywhere">
            <bdi>{title}</bdi>
          </p>
          <p>{certifiedText(certificate)}</p>
        </div>
        <div className="flex flex-wrap items-end justify-between gap-4">
          <div>
            <p className="text-sm text-ink-3">{t('certificate.number', 'Certificate number')}</p>
            <p className="font-semibold">
              <span className="code">{number}</span>
            </p>
          </div>
          <QRCodeSVG
            value={`${location.origin}/verify#${number}`}
            size={96}
            marginSize={2}
            className="rounded-sm"
            role="img"
            aria-label={t(
              /* says what a QR code is */ 'certificate.qrCode',
              'Code that leads to this page',
            )}
          />
        </div>
      </article>
      {state === 'valid' && (
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          <Button size="candidate" icon={<Download />} onClick={() => void download()}>
            {t(/* a button */ 'certificateCheck.download', 'Download PDF')}
          </Button>
          {failed !== null && (
            <p role="alert" className="text-bad-ink">
              {failed}
            </p>
          )}
        </div>
      )}
    </>
  );
}
