import { generate } from 'selfsigned';

/**
 * Creates a self-signed certificate for a host and 127.0.0.1; both values are PEM.
 * @param host default: localhost
 */
export async function selfSignedCertificate(
	host = 'localhost',
): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
		keyType: 'ec',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: host },
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key, cert };
}
