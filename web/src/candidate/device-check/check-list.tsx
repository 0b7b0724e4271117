import { figureText } from '@invigil/core/domain/locale';
import type { ReactNode } from 'react';
import { formatTime } from '../../lib/format.ts';
import type { DeviceKind } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { TrialResult } from '../../proctoring/device-trial.ts';
import { detectorFiles } from '../../proctoring/engines/detector-files.ts';
import type { EnginesSnapshot } from '../../proctoring/loaded-engines.ts';
import { enterFullscreen, leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import { useEngines, useFullscreen } from '../../proctoring/use-monitor.ts';
import { Glyph, type GlyphName } from '../../ui/badges/glyphs.tsx';
import { Button } from '../../ui/button.tsx';
import type { Connection } from './connection-check.ts';

const CONNECTION_GLYPHS: Record<Connection['kind'], GlyphName> = {
  checking: 'dashed',
  good: 'ticked',
  slow: 'ring',
  unreachable: 'ring',
};

function connectionText(connection: Connection, keeps: boolean | null): string {
  const kept =
    keeps === false
      ? ' This browser keeps nothing on this device: do not close or reload the page while it is interrupted'
      : null;
  switch (connection.kind) {
    case 'checking':
      return 'is being checked';
    case 'good':
      return kept === null ? 'good; answers are kept on this device if it drops' : `good.${kept}`;
    case 'slow':
      return `slow (${figureText(connection.roundTripMs / 1_000, 1)} s)${kept === null ? '; answers are kept on this device until they are saved' : `.${kept}`}`;
    case 'unreachable':
      return 'not available; we keep trying to reach the server';
  }
}

type CheckLine = [glyph: GlyphName, name: string, strong: string, text: ReactNode];

function faceLine(
  result: TrialResult | null,
  engines: EnginesSnapshot,
  faceCovered: boolean,
): CheckLine {
  const line = (glyph: GlyphName, text: string): CheckLine => [glyph, 'face', 'Face', text];
  if (result?.severalPeople)
    return line(
      'ring',
      'more than one person is in view; make sure you are alone in front of the camera',
    );
  if (result?.cannotTell === 'falsified') return line('ring', FALSIFIED);
  if (result?.cannotTell === 'dark') {
    return line('ring', 'cannot be checked: it is too dark. Turn on a light in front of you');
  }
  if (result?.cannotTell === 'covered') {
    return line('ring', 'cannot be checked: the camera is covered. Open its cover');
  }
  if (result?.faceFound) return line('ticked', 'found');
  if (faceCovered) return line('ticked', 'may be partly covered; it does not have to be detected');
  if (result?.cannotTell === 'blurred') {
    return line('ring', 'cannot be checked: the picture is out of focus. Clean the lens');
  }
  if (result?.cannotTell === 'unsure') {
    return line('ring', 'cannot be checked: sit so that your whole face is in the picture');
  }
  if (!engines.ready) {
    if (engines.share === 1) return line('dashed', 'detection is starting');
    const share = engines.share === null ? '' : ` (${Math.round(engines.share * 100)} %)`;
    return line('dashed', `detection is loading${share}`);
  }
  return line('ring', 'not found yet; sit in front of the camera, with light on your face');
}

const FALSIFIED =
  'cannot be checked: this browser, or an add-on in it, changes what it shows us. You can go on: nothing that we cannot see or hear is counted';

const NO_SOUND: Record<NonNullable<TrialResult['noSound']>, string> = {
  'no-clock':
    'cannot be measured: this browser finds no sound output. Connect headphones or speakers, or go on: what we cannot hear is not counted',
  falsified: FALSIFIED,
  constant: FALSIFIED,
  silent: 'delivers only silence. Check that it is switched on and not muted',
};

function soundLine(result: TrialResult | null): CheckLine {
  const [glyph, words]: [GlyphName, string] =
    result?.spoken === true
      ? ['ticked', 'heard you speak']
      : result?.noSound
        ? ['ring', NO_SOUND[result.noSound]]
        : ['dashed', 'is measuring background noise; say a few words to test it'];
  return [glyph, 'sound', 'Microphone', words];
}

/** Lets the candidate try fullscreen before the start; Escape leaves it. */
function FullscreenTry() {
  const full = useFullscreen(true);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        <b>Fullscreen</b> opens when you start
      </span>
      <Button size="dense" onClick={() => void (full ? leaveFullscreen() : enterFullscreen())}>
        {full ? 'Leave fullscreen' : 'Try fullscreen'}
      </Button>
    </span>
  );
}

export function CheckList({
  consentAt,
  connection,
  keepsAnswers,
  fullscreen,
  policy,
  device,
  devices,
  result,
}: {
  consentAt: Date | null;
  connection: Connection;
  /** Whether this browser keeps unsent answers; `null` before it is known. */
  keepsAnswers: boolean | null;
  /** the fullscreen rule applies here */
  fullscreen: boolean;
  policy: { fullscreen: boolean; camera: boolean; faceCovered?: true | undefined };
  device: DeviceKind;
  /** The working devices, whose data is being checked. */
  devices: readonly Device[];
  result: TrialResult | null;
}) {
  const engines = useEngines();
  const lines: CheckLine[] = [
    consentAt === null
      ? ['dashed', 'consent', 'Consent', 'not given yet']
      : ['ticked', 'consent', 'Consent given', `at ${formatTime(consentAt)}`],
    [
      CONNECTION_GLYPHS[connection.kind],
      'connection',
      'Connection',
      connectionText(connection, keepsAnswers),
    ],
  ];
  if (devices.includes('camera'))
    lines.push(faceLine(result, engines, policy.faceCovered === true));
  if (devices.includes('microphone')) lines.push(soundLine(result));
  if (fullscreen) {
    lines.push(['ticked', 'fullscreen', '', <FullscreenTry key="try" />]);
  } else if (policy.fullscreen) {
    const why = 'is not available on this device; the rule does not apply here';
    lines.push(['ring', 'fullscreen', 'Fullscreen', why]);
  }
  if (policy.camera && device.mobile) {
    lines.push(['ring', 'camera', 'Camera', 'is not used on this device']);
  }
  return (
    <ul className="mt-5 rounded-lg border border-line bg-surface">
      {lines.map(([glyph, name, strong, text], index) => (
        <li
          key={name}
          className={`flex items-center gap-3 px-4 py-3 text-ink-2 [&_b]:font-medium [&_b]:text-ink ${index > 0 ? 'border-t border-line' : ''}`}
        >
          <Glyph
            name={glyph}
            className={`size-4 ${glyph === 'ticked' ? 'text-ok' : 'text-ink-3'}`}
          />
          <span>
            {strong !== '' && <b>{strong} </b>}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** States that the detectors run on this device, with a link to their packages, versions and licenses. */
export function DetectorLicences() {
  return (
    <p className="mt-3 text-sm text-ink-3">
      The checks run on this device.{' '}
      <a
        href={detectorFiles.thirdParty}
        target="_blank"
        rel="noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        About the detection software
      </a>
    </p>
  );
}
