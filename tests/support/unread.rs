//! Unread responses: a connection whose client reads almost nothing of what it requested.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// A request whose answer has begun; the rest of it waits for as long as this is held.
pub struct Unread {
    pub status: u16,
    _stream: TcpStream,
}

impl Unread {
    /// Sends a request from one of this machine's addresses; `fields` are lines of its header.
    pub async fn ask(from: Ipv4Addr, to: SocketAddr, path: &str, fields: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        // What the kernel takes for the client is as good as read.
        socket.set_recv_buffer_size(4096).unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        let mut stream = socket.connect(to).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{fields}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut beginning = [0; 12];
        stream.read_exact(&mut beginning).await.unwrap();
        let status = std::str::from_utf8(&beginning[9..]).unwrap().parse().unwrap();
        Self { status, _stream: stream }
    }
}

/// A picture that no compression makes smaller, of a byte for each pixel.
pub fn noise(side: u32, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let pixels: Vec<u8> = (0..side * side).map(|_| random.u8(..)).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}
