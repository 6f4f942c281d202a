import { isLocal, isOutOfReach, parseUrl, tidyUrl } from '../../nodes/Cases/api/http/url';

test.each([
	['http://localhost:5678/webhook', true],
	['http://n8n.localhost/', true],
	['http://127.0.0.1', true],
	['http://127.1.22.255:80', true],
	['http://[::1]:5678/', true],
	['http://LOCALHOST', true],
	['http://127.0.0.1.example.com', false],
	['http://localhost.example.com', false],
	['http://mylocalhost', false],
	['http://[2001::1]', false],
	['http://10.127.0.0.example', false],
	['http://10.0.0.1', false],
])('only its own machine reaches %s: %p', (url, expected) => {
	expect(isLocal(url)).toBe(expected);
});

test.each([
	['http://localhost:5678/', 'https://acme.example.com', true],
	['http://localhost:5678/', 'http://127.0.0.1:5690', false],
	['https://n8n.example.com/', 'https://acme.example.com', false],
	['https://n8n.example.com/', 'http://localhost:5690', false],
])('%s is out of reach for a service at %s: %p', (url, serviceUrl, expected) => {
	expect(isOutOfReach(url, serviceUrl)).toBe(expected);
});

test.each([
	['HTTPS://Acme.Example.com', 'https://acme.example.com/'],
	['https://acme.example.com/Cases?q=A', 'https://acme.example.com/Cases?q=A'],
	['not a URL', 'not a URL'],
	['', ''],
])('%j is stored by a service as %j', (text, expected) => {
	expect(tidyUrl(text)).toBe(expected);
});

test('what is not a URL has no parts', () => {
	expect(parseUrl('acme')).toBeUndefined();
	expect(parseUrl('https://ümlaut.example')?.hostname).toBe('xn--mlaut-jva.example');
});
