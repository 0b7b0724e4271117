import type { ReactNode } from 'react';
import type { DeviceKind } from '../../proctoring/device-kind.ts';
import { Glyph, type GlyphName } from '../../ui/glyphs.tsx';
import type { Connection } from './connection-check.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const CONNECTION_GLYPHS: Record<Connection['kind'], GlyphName> = {
  checking: 'dashed',
  good: 'ticked',
  slow: 'ring',
  unreachable: 'ring',
};

function connectionWords(connection: Connection): ReactNode {
  switch (connection.kind) {
    case 'checking':
      return (
        <>
          <b>Connection</b> is being checked
        </>
      );
    case 'good':
      return (
        <>
          <b>Connection</b> good; answers are kept on this device if it drops
        </>
      );
    case 'slow':
      return (
        <>
          <b>Connection</b> slow ({(connection.roundTripMs / 1_000).toFixed(1)} s); answers are kept
          on this device until they are saved
        </>
      );
    case 'unreachable':
      return (
        <>
          <b>Connection</b> missing; we keep trying to reach the server
        </>
      );
  }
}

/** What else the start depends on. */
export function CheckList({
  consentAt,
  connection,
  fullscreen,
  policy,
  device,
}: {
  consentAt: Date | null;
  connection: Connection;
  /** the fullscreen rule applies here */
  fullscreen: boolean;
  policy: { fullscreen: boolean; camera: boolean };
  device: DeviceKind;
}) {
  const lines: [GlyphName, string, ReactNode][] = [
    consentAt === null
      ? [
          'dashed',
          'consent',
          <>
            <b>Consent</b> not given yet
          </>,
        ]
      : [
          'ticked',
          'consent',
          <>
            <b>Consent given</b> at {clock.format(consentAt)}
          </>,
        ],
    [CONNECTION_GLYPHS[connection.kind], 'connection', connectionWords(connection)],
  ];
  if (fullscreen) {
    lines.push([
      'ticked',
      'fullscreen',
      <>
        <b>Fullscreen</b> opens when you start
      </>,
    ]);
  } else if (policy.fullscreen) {
    lines.push([
      'ring',
      'fullscreen',
      <>
        <b>Fullscreen</b> is not available on this device; the rule does not apply here
      </>,
    ]);
  }
  if (policy.camera && device.mobile) {
    lines.push([
      'ring',
      'camera',
      <>
        <b>Camera</b> is not used on this device
      </>,
    ]);
  }
  return (
    <ul className="mt-5 rounded-lg border border-line bg-surface">
      {lines.map(([glyph, name, text], index) => (
        <li
          key={name}
          className={`flex items-center gap-3 px-4 py-3 text-ink-2 [&_b]:font-medium [&_b]:text-ink ${index > 0 ? 'border-t border-line' : ''}`}
        >
          <Glyph
            name={glyph}
            className={`size-4 ${glyph === 'ticked' ? 'text-ok' : 'text-ink-3'}`}
          />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
