import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  Certificate,
  CertificateState,
  IssuedCertificate,
} from '@invigil/core/contract/review/certificates';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes, groupCode } from '@invigil/core/domain/one-time-code';
import type { Reach } from '@invigil/core/domain/rights';
import { certifiedText } from '@invigil/core/texts/certificate';
import { t } from '@invigil/core/texts/i18n';
import type { AttemptContext, FileContext } from '../../app-context.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import {
  type CertificateRow,
  findCertificate,
  insertCertificate,
  listCertificatesOf,
  revokeCertificateRow,
} from '../../db/queries/attempts/certificates.ts';
import {
  findCertified,
  findReleasable,
  findRelease,
  lockReleasable,
  type ReleasableRow,
} from '../../db/queries/attempts/releases.ts';
import { isSeenAsKnown } from '../../db/queries/seen-people.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { senderOf } from '../../http/sender.ts';
import { AppError } from '../../runtime/app-error.ts';
import { inLanguage } from '../../runtime/language.ts';
import { Reply } from '../../runtime/reply.ts';
import type { Write } from '../../sessions/command.ts';
import { readInstitution, requireInstitution } from '../../trust/institution.ts';
import { isGenuine, RELEASES } from '../../trust/row-kinds.ts';
import { certificateFields } from '../../trust/sealed-fields.ts';
import {
  CERTIFICATES,
  certificateRow,
  changeSealed,
  isWhole,
  sealOf,
} from '../../trust/sealed-kinds.ts';
import { requireAttempt } from '../attempts/own-attempt.ts';
import { readReceipt } from '../attempts/receipts.ts';
import { givenBy, hasChanged, onlyGenuine } from '../attempts/release-results.ts';

type Context = Pick<AttemptContext, 'db' | 'keys' | 'papers' | 'config' | 'trust'>;

/** Whether the result that its candidate was shown is a passed one, and no breach was found since. */
const hasPassed = (row: ReleasableRow | undefined): row is ReleasableRow =>
  row?.released?.outcome?.result === 'passed' && row.verdict !== 'breach';

/** Whether its assessment has certificates, and it passed. */
const isPromised = (row: ReleasableRow): boolean =>
  hasPassed(row) && row.releaseRules?.parts.includes('certificate') === true;

/** Whether a certificate says what was released last. */
function isUpToDate({ content }: CertificateRow, { released }: ReleasableRow): boolean {
  const { grade = released?.outcome?.grade, percent = released?.percent } = content;
  return grade === released?.outcome?.grade && percent === released?.percent;
}

/** The receipt of an attempt, as a certificate names it, and whether the result matches its seal. */
async function receiptOf(ctx: Context, db: Queryable, participantId: string) {
  const attempt = await requireAttempt(db, participantId);
  const { content, isGenuine } = await readReceipt(ctx, db, attempt);
  const { id, digest, submittedAt } = content;
  return { receipt: { id, digest }, submittedAt: new Date(submittedAt), isGenuine };
}

/** The content of a certificate that is issued now. */
async function contentOf(
  ctx: Context,
  db: Queryable,
  row: Awaited<ReturnType<typeof onlyGenuine>>[number],
) {
  const { receipt, submittedAt } = await receiptOf(ctx, db, row.id);
  const { name: institution, timeZone } = await requireInstitution(ctx, db);
  const { grade } = row.released?.outcome ?? {};
  const percent = row.released?.percent;
  const shows = (part: 'grade' | 'score') => row.releaseRules?.parts.includes(part);
  return {
    // Not what a list of one assessment called the person.
    name: row.sealedName || (row.email ?? ''),
    title: row.title,
    institution,
    // The date in the format of ISO 8601.
    date: new Intl.DateTimeFormat('sv-SE', { timeZone }).format(submittedAt),
    ...(grade != null && shows('grade') ? { grade } : {}),
    ...(percent != null && shows('score') ? { percent } : {}),
    receipt,
  };
}

/**
 * The certificate of an attempt, which is issued where there is none yet or where another result was
 * released; null: it did not pass, or the assessment has none, or it was revoked, or another result waits for
 * its release.
 *
 * @param by an administrator issues it again where only a name changed, and after it was revoked; null: its
 *   result is released
 */
async function issue(
  ctx: Context,
  tx: Tx,
  participantId: string,
  by: string | null,
  now: Date,
): Promise<{ number: string; isNew: boolean } | null> {
  const [row] = await lockReleasable(tx, [participantId]);
  // A replaced attempt is not there either.
  if (!row) throw new AppError('NOT_FOUND');
  if (!isPromised(row)) return null;
  const [latest] = await listCertificatesOf(tx, participantId);
  if (latest && by === null) {
    if (latest.revokedAt !== null) return null;
    if (isUpToDate(latest, row)) return { number: latest.number, isNew: false };
  }
  // A release alone is no proof: the sealed result must say the same, by the sealed rules.
  const [genuine] = await onlyGenuine(ctx, tx, [row]);
  const release = await findRelease(tx, participantId);
  if (!genuine || !release || !isGenuine(ctx, RELEASES, release)) return null;
  const proven = { ...genuine, released: givenBy(release).result };
  if (!isPromised(proven) || hasChanged(proven)) return null;
  const content = await contentOf(ctx, tx, proven);
  if (latest?.revokedAt === null && isDeepStrictEqual(latest.content, content)) {
    return { number: latest.number, isNew: false };
  }
  const length = CODE_LIMITS.oneTimeCodeCharacters;
  const unsealed = {
    number: groupCode(codeFromBytes(randomBytes(length), length)),
    // After the one it replaces, whatever the clock says.
    issuedAt: new Date(Math.max(now.getTime(), (latest?.issuedAt.getTime() ?? 0) + 1)),
    ...{ participantId, content, issuedBy: by, revokedAt: null },
  };
  const { number } = unsealed;
  const seal = sealOf(ctx.keys.integrity, CERTIFICATES, number, certificateFields(unsealed));
  await insertCertificate(tx, { ...unsealed, seal });
  return { number, isNew: true };
}

/** Issues the certificate of a released result. */
export async function issueCertificate(
  ctx: Context,
  participantId: string,
  now: Date,
): Promise<void> {
  // Not from within the transaction: many of these would each hold a connection and wait for another.
  await ctx.papers.find(participantId);
  await inTransaction(ctx.db, (tx) => issue(ctx, tx, participantId, null, now));
}

/** The number of the certificate of an attempt that its candidate is shown; null without one that counts. */
export async function findCertificateNumber(
  ctx: Context,
  participantId: string,
): Promise<string | null> {
  const [latest] = await listCertificatesOf(ctx.db, participantId);
  const row = latest && (await findReleasable(ctx.db, participantId));
  if (!latest || latest.revokedAt !== null || !hasPassed(row)) return null;
  return isUpToDate(latest, row) ? latest.number : null;
}

type CertifiedRow = Awaited<ReturnType<typeof findCertified>>;

/** During another attempt by rule a certificate stays as it is; then it is a question of which attempt counts. */
async function stateOf(
  ctx: Context,
  certificate: CertificateRow,
  { row, latest }: { row: CertifiedRow; latest: CertificateRow | undefined },
): Promise<CertificateState> {
  const { content, participantId, revokedAt } = certificate;
  if (!isWhole(ctx.keys.integrity, CERTIFICATES, certificateRow(certificate))) return 'altered';
  const { receipt, isGenuine: isResult } = await receiptOf(ctx, ctx.db, participantId);
  if (!isResult || !isDeepStrictEqual(receipt, content.receipt)) return 'altered';
  const release = await findRelease(ctx.db, participantId);
  if (release && !isGenuine(ctx, RELEASES, release)) return 'altered';
  const isLatest = latest?.number === certificate.number;
  if (revokedAt !== null || !row || row.verdict === 'breach') return 'revoked';
  if (row.followedBy && row.followedBy.status !== 'in_progress') {
    const { released, isCertified } = row.followedBy;
    // Nobody has been told yet of the result that counts instead.
    if (released === null) return 'under_correction';
    return isCertified ? 'replaced' : 'revoked';
  }
  // Taken back, the result is in question until it is released again.
  if (row.released === null) return isLatest ? 'under_correction' : 'replaced';
  if (!hasPassed(row)) return 'revoked';
  if (!isLatest || !isUpToDate(certificate, row)) return 'replaced';
  return hasChanged(row) ? 'under_correction' : 'valid';
}

interface CheckedCertificate {
  state: CertificateState;
  certificate: Certificate;
  hasLogo: boolean;
  /** Tag of the language of the attempt. */
  language: string;
}

/** Throws NOT_FOUND. */
async function checkCertificate(ctx: Context, number: string): Promise<CheckedCertificate> {
  const found = await findCertificate(ctx.db, number);
  if (!found) throw new AppError('NOT_FOUND');
  const row = await findCertified(ctx.db, found.participantId);
  const [latest] = await listCertificatesOf(ctx.db, found.participantId);
  const { receipt: _, ...says } = found.content;
  const { logo } = await readInstitution(ctx, ctx.db);
  return {
    state: await stateOf(ctx, found, { row, latest }),
    certificate: { number, ...says },
    hasLogo: logo !== null,
    language: row?.language ?? 'en',
  };
}

/** The certificates of an attempt, oldest first; `issuedBy` is still an id. */
export async function presentCertificates(
  ctx: Context,
  sees: Reach,
  participantId: string,
): Promise<IssuedCertificate[]> {
  const all = await listCertificatesOf(ctx.db, participantId);
  const [latest] = all;
  if (latest === undefined) return [];
  const row = await findCertified(ctx.db, participantId);
  // A certificate's number lets anyone read the name that the installation knows.
  const hasNumbers = await isSeenAsKnown(ctx.db, sees, participantId);
  return Promise.all(
    all.toReversed().map(async (one) => ({
      number: hasNumbers ? one.number : null,
      state: await stateOf(ctx, one, { row, latest }),
      issuedAt: one.issuedAt.toISOString(),
      issuedBy: one.issuedBy,
      revokedAt: one.revokedAt?.toISOString() ?? null,
    })),
  );
}

/** Throws NOT_FOUND without one that counts. */
async function revoke(
  { keys }: Context,
  { tx, now, record }: Write<'participant.certificate_revoked'>,
  participantId: string,
): Promise<void> {
  await lockReleasable(tx, [participantId]);
  const [latest] = await listCertificatesOf(tx, participantId);
  if (latest?.revokedAt !== null) throw new AppError('NOT_FOUND');
  const { number } = latest;
  await changeSealed(tx, keys.integrity, CERTIFICATES, [number], () =>
    revokeCertificateRow(tx, number, now),
  );
  await record('participant.certificate_revoked', ['participant', participantId]);
}

/** The certificate in the language of its attempt, whoever asks. Throws NOT_FOUND, also for one that does not count. */
async function printPdf(
  ctx: Context & Pick<FileContext, 'images' | 'certificatePrinter'>,
  number: string,
) {
  const { state, certificate, language } = await checkCertificate(ctx, number);
  if (state !== 'valid') throw new AppError('NOT_FOUND');
  const { name, title, institution } = certificate;
  const { publicUrl, logo } = await readInstitution(ctx, ctx.db);
  const picture = logo === null ? null : ((await ctx.images.get(logo)) ?? null);
  const pdf = await inLanguage(language, () =>
    ctx.certificatePrinter.print({
      ...{ number, name, title, institution: institution ?? '' },
      result: certifiedText(certificate),
      link: `${publicUrl}/verify#${number}`,
      place: `${publicUrl.replace(/^https?:\/\//, '')}/verify`,
      logo: picture,
    }),
  );
  return new Reply(200, pdf, {
    'content-disposition': `attachment; filename="certificate_${number}.pdf"`,
  });
}

const whyNone = (): string =>
  t(
    'server.results.noCertificate',
    'A certificate needs a released result that is passed, and a release that includes certificates',
  );

export function certificateHandlers(ctx: AttemptContext & FileContext) {
  return {
    // Anyone who knows a number can ask: all who do at a time share one reading, and one PDF.
    getCertificate: ({ params: { number }, ...exchange }) =>
      ctx.queues.checks.run(
        senderOf(exchange),
        async () => {
          const { language: _, ...checked } = await checkCertificate(ctx, number);
          return checked;
        },
        number,
      ),
    printCertificate: ({ params: { number }, ...exchange }) =>
      ctx.queues.prints.run(senderOf(exchange), () => printPdf(ctx, number), number),
    async issueCertificate({ params: { id }, command, sees, now }) {
      await ctx.papers.find(id);
      const issued = await command(async ({ tx, actor, record }) => {
        const one = await issue(ctx, tx, id, actor.id, now);
        if (one?.isNew) await record('participant.certificate_issued', ['participant', id]);
        return one;
      });
      if (issued === null) {
        throw new AppError('RULES_UNMET', {
          message: whyNone(),
          issues: [{ path: 'id', message: whyNone() }],
        });
      }
      return { number: (await isSeenAsKnown(ctx.db, sees, id)) ? issued.number : null };
    },
    revokeCertificate: ({ params, command }) => command((write) => revoke(ctx, write, params.id)),
  } satisfies Handlers;
}
